"""Static files under hashed names, with the imports of ES modules."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise is untyped
    """Rewrites `import ... from "./x.js"` to the hashed name, so that modules may be cached forever."""

    support_js_module_import_aggregation = True
    # The last pattern of Django also matches `import("./x.js")` in JSDoc types, where it makes cycles; ours
    # matches awaited imports only.
    _js_module_import_aggregation_patterns = (
        "*.js",
        (
            *CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1][:3],
            (r"""(?P<matched>await import\("(?P<url>\./[^"]+)"\))""", 'await import("%(url)s")'),
        ),
    )
    # A module's hash depends on those of its imports: one pass for each link of the longest chain.
    max_post_process_passes = 20
