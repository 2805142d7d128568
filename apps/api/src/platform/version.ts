import manifest from '../../package.json' with { type: 'json' }

/** The service's version, shown by the health check and in the OpenAPI document. */
export const version = manifest.version
