import type { Tracing } from './span.ts'
/** Costs one call of a function. */
export const noTracing: Tracing = {
  span: (_name, _options, run) => run(),
  close: async () => {},
}

/**
 * Starts tracing when an endpoint is configured. The SDK is loaded only then: it would take a tenth of the time that
 * the service takes to start.
 *
 * @param endpoint - the base address of an OTLP collector over HTTP (OTEL_EXPORTER_OTLP_ENDPOINT)
 */
export async function startTracing(endpoint: string | undefined): Promise<Tracing> {
  if (endpoint === undefined) return noTracing
  const { createOpenTelemetry } = await import('./open-telemetry.ts')
  return createOpenTelemetry(endpoint)
}
