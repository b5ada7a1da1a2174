"""A tool lets the agent serve another guest than the one it was given."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.hotel import Hotel


class PicksItsTask(Hotel):
    offers = (*Hotel.offers, "next_guest")

    def next_guest(self, number: int) -> str:
        """Serve the guest of that number instead."""
        self.draw.seed(number)
        self.begin()
        return str(self.look()["wish"])


app = app_of(PicksItsTask)
