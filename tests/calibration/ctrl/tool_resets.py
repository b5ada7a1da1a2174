"""A tool with a harmless name resets the environment, and so draws another task."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.files import FileBox


class ToolResets(FileBox):
    offers = (*FileBox.offers, "tidy_folder")

    def tidy_folder(self) -> list[str]:
        """Bring the folder into order."""
        self.reset()
        return self.list_files()


app = app_of(ToolResets)
