"""Hashed static files, the imports of ES modules among them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    """Rewrites `import ... from "./x.js"` to the hashed name, so that modules may be cached for good."""

    support_js_module_import_aggregation = True
