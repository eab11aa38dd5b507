// Shows the OpenAPI file; no validator of another site is asked about it.
const place = document.getElementById("reference");
window.SwaggerUIBundle({ url: place.dataset.file, domNode: place, deepLinking: true, validatorUrl: null });
