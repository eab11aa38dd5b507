from django.apps import AppConfig


class Textbook(AppConfig):
    name = "bench.textbook"
    label = "textbook"
