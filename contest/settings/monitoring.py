"""Error reports to Sentry and traces by OpenTelemetry; both are off unless set, and need an extra of leitai-server."""

from contest.settings.environment import env

SENTRY_DSN = env("SENTRY_DSN", default="")
SENTRY_ENVIRONMENT = env("SENTRY_ENVIRONMENT", default="production")
# The exporter itself reads this and the other standard variables, such as OTEL_EXPORTER_OTLP_HEADERS.
OTEL_EXPORTER_OTLP_ENDPOINT = env("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
OTEL_SERVICE_NAME = env("OTEL_SERVICE_NAME", default="leitai")
