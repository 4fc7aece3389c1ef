"""Hashed static files, the imports of ES modules among them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    """Rewrites `import ... from "./x.js"` to the hashed name, so that modules may be cached for good."""

    support_js_module_import_aggregation = True
    # Their own last pattern finds `import("./x.js")` in JSDoc types, where it makes circles. None is awaited.
    _js_module_import_aggregation_patterns = (
        "*.js",
        (
            *CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1][:3],
            (r"""(?P<matched>await import\("(?P<url>\./[^"]+)"\))""", 'await import("%(url)s")'),
        ),
    )
    # A module's hash depends on those of its imports: one pass for each link of the longest chain.
    max_post_process_passes = 20
