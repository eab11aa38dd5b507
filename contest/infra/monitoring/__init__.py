"""Optional services that watch the site: `error_reports` by Sentry, `traces` by OpenTelemetry.

Their packages are extras of leitai-server. `scrubbing` removes private text from all that is sent.
"""

from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

# Setting that switches a module on, and its extra.
_SERVICES = {
    "SENTRY_DSN": ("error_reports", "sentry"),
    "OTEL_EXPORTER_OTLP_ENDPOINT": ("traces", "otel"),
}


def start() -> None:
    """Start the services that are set. Raise ImproperlyConfigured if the packages of one are not installed."""
    for setting, (name, extra) in _SERVICES.items():
        if not getattr(settings, setting):
            continue
        try:
            service = import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            raise ImproperlyConfigured(
                f"{setting} is set, but the package {error.name} is not installed. Install the extra “{extra}”, "
                f'for example: pip install "leitai-server[{extra}]"; or unset {setting}.'
            ) from None
        service.start()
