"""The reader's language: the address's, else the account's, cookie's, browser's, else English."""

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_cache_control


class LanguageMiddleware(LocaleMiddleware):
    """Django's middleware, which does not know that an account has a language."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the reader's language (CONTRACTS: the order above)."""
        super().process_request(request)
        if translation.get_language_from_path(request.path_info):
            return
        if request.user.is_authenticated and translation.check_for_language(request.user.language):
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Redirect an address without a language; where to is this reader's affair alone."""
        answer = super().process_response(request, response)
        if isinstance(answer, HttpResponseRedirect) and answer is not response:
            patch_cache_control(answer, private=True, no_cache=True)
        return answer
