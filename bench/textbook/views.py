from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.mixins import CreateModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from bench.textbook.models import Level, Submission
from bench.textbook.serializers import RowSerializer, SubmissionSerializer
from bench.textbook.tasks import judge, wake

ROWS = 200


class Entry(serializers.Serializer[Submission]):
    """Fields of a submission, validated without a database query for the level."""

    level = serializers.IntegerField(source="level_id")
    nickname = serializers.CharField(max_length=32)
    text = serializers.CharField()


@cache
def is_level(number: int) -> bool:
    return Level.objects.filter(pk=number).exists()


class Submissions(CreateModelMixin, RetrieveModelMixin, GenericViewSet[Submission]):
    queryset = Submission.objects.all()
    serializer_class = SubmissionSerializer

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        if not settings.BATCHED:
            return super().create(request, *args, **kwargs)
        entry = Entry(data=request.data)
        entry.is_valid(raise_exception=True)
        if not is_level(entry.validated_data["level_id"]):
            raise serializers.ValidationError({"level": ["There is no such level."]})
        submission = Submission.objects.create(**entry.validated_data)
        wake()
        return Response({"id": submission.pk, "status": submission.status}, status=status.HTTP_201_CREATED)

    def perform_create(self, serializer: BaseSerializer[Submission]) -> None:
        judge.delay(serializer.save().pk)


class Leaderboard(ListAPIView[Submission]):
    serializer_class = RowSerializer

    def get_queryset(self) -> QuerySet[Submission]:
        accepted = Submission.objects.filter(level=self.kwargs["level"], verdict="solved")
        return accepted.order_by("moves", "pushes", "created_at")[:ROWS]
