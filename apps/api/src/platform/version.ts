import manifest from '../../package.json' with { type: 'json' }

/** The service's version: in health, and in the OpenAPI document. */
export const version = manifest.version
