from django.db.models import QuerySet
from rest_framework.generics import ListAPIView
from rest_framework.mixins import CreateModelMixin, RetrieveModelMixin
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from bench.textbook.models import Submission
from bench.textbook.serializers import RowSerializer, SubmissionSerializer
from bench.textbook.tasks import judge

ROWS = 200


class Submissions(CreateModelMixin, RetrieveModelMixin, GenericViewSet[Submission]):
    queryset = Submission.objects.all()
    serializer_class = SubmissionSerializer

    def perform_create(self, serializer: BaseSerializer[Submission]) -> None:
        judge.delay(serializer.save().pk)


class Leaderboard(ListAPIView[Submission]):
    serializer_class = RowSerializer

    def get_queryset(self) -> QuerySet[Submission]:
        accepted = Submission.objects.filter(level=self.kwargs["level"], verdict="solved")
        return accepted.order_by("moves", "pushes", "created_at")[:ROWS]
