"""What each task is to the probes."""

import pytest

from metrics import MalformedInput, ParameterError, task_states


@pytest.mark.parametrize(
    ("weak", "strong", "state"),
    [
        ((100, 100), (100, 100), "vacuous"),
        ((10, 100), (100, 100), "saturated"),
        ((0, 200), (0, 200), "dead"),
        ((5, 100), (60, 100), "separating"),
        ((5, 100), (8, 100), "unknown"),
        ((3, 3), (3, 3), "unknown"),
        ((0, 0), (3, 3), "unknown"),
        ((60, 100), (5, 100), "unknown"),
    ],
)
def test_state_of_a_task(weak, strong, state):
    assert task_states([weak], [strong]) == [state]


def test_more_tasks_need_more_evidence():
    assert task_states([(1, 10)], [(8, 10)]) == ["separating"]
    assert set(task_states([(1, 10)] * 50, [(8, 10)] * 50)) == {"unknown"}
    with pytest.raises(MalformedInput):
        task_states([(1, 2)], [])
    with pytest.raises(ParameterError):
        task_states([(1, 2)], [(1, 2)], solved=0.01)
