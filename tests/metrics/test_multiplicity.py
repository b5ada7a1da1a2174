"""Corrections for many tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from metrics import MalformedInput, benjamini_hochberg, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(P_VALUES)
def test_adjusted_values_match_statsmodels(p_values):
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)
    expected = multipletests(p_values, method="fdr_bh")[1]
    assert benjamini_hochberg(p_values) == pytest.approx(expected, abs=1e-12)
    expected = multipletests(p_values, method="fdr_by")[1]
    found = benjamini_hochberg(p_values, dependent=True)
    assert found == pytest.approx(expected, abs=1e-12)


def test_no_test_gives_no_value():
    assert holm([]).size == 0
    assert benjamini_hochberg([]).size == 0


@pytest.mark.parametrize("p_values", [[0.5, 1.5], [-0.1], [np.nan], ["0.1"]])
def test_other_than_chances_is_refused(p_values):
    with pytest.raises(MalformedInput):
        holm(p_values)
