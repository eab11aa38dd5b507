"""Parser of request bodies: JSON in UTF-8, uncompressed, and no longer than a submission may be."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.http import UnreadablePostError
from django.utils.http import parse_header_parameters
from rest_framework import parsers
from rest_framework.exceptions import ParseError

from contest.api import json_texts
from contest.api.exceptions import BadEncoding, TooLarge


class JSONParser(parsers.BaseParser):
    media_type = json_texts.MEDIA_TYPE

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        request = (parser_context or {})["request"]
        _kind, parameters = parse_header_parameters(media_type or "")
        if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise BadEncoding
        if parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise BadEncoding
        try:
            body = stream.read(settings.MAX_SUBMISSION_BODY + 1)
            if len(body) > settings.MAX_SUBMISSION_BODY:
                raise TooLarge
            return json_texts.parse(body)
        except (ValueError, UnreadablePostError) as error:
            raise ParseError from error
