from rest_framework import serializers

from bench.textbook.models import Submission


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    class Meta:
        model = Submission
        fields = ["id", "level", "nickname", "text", "created_at", "status", "verdict", "moves", "pushes"]
        read_only_fields = ["status", "verdict", "moves", "pushes"]


class RowSerializer(serializers.ModelSerializer[Submission]):
    class Meta:
        model = Submission
        fields = ["id", "nickname", "moves", "pushes", "created_at"]
