"""The application `games`: tables, moves, and what is shown of them."""

import gc

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Rules and bots inside are pure; everything else is Django."""

    name = "games"

    def ready(self) -> None:
        """Tell accounts what it must be able to ask of games."""
        from accounts import delivery, leaving, ties
        from accounts.channels import FRIEND
        from games import clock, notices, presenters, services

        delivery.tell_time(clock.now)
        said = (presenters.letter, presenters.page)
        delivery.register(notices.KINDS, notices.open_notices, *said, notices.due)
        asked = (presenters.question, presenters.page_of_a_question)
        delivery.register([FRIEND], ties.open_questions, *asked)
        leaving.register(services.leave_everything, presenters.personal_data)

        # The last of INSTALLED_APPS: all is loaded, stays, and is shared by a worker's children.
        gc.freeze()
        gc.enable()
