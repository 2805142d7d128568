import type { Tracing } from './span.ts'
/** Costs one function call. */
export const noTracing: Tracing = {
  span: (_name, _options, run) => run(),
  close: async () => {},
}

/**
 * Starts tracing when an endpoint is configured. The SDK is loaded only then: loading it takes a tenth of the
 * service's start time.
 *
 * @param endpoint - the base address of an OTLP collector over HTTP (OTEL_EXPORTER_OTLP_ENDPOINT)
 */
export async function startTracing(endpoint: string | undefined): Promise<Tracing> {
  if (endpoint === undefined) return noTracing
  const { createOpenTelemetry } = await import('./open-telemetry.ts')
  return createOpenTelemetry(endpoint)
}
