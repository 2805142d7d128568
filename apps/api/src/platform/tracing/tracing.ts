interface SpanOptions {
  readonly attributes?: Readonly<Record<string, string | number>>
  /** Of the request that the span begins: W3C Trace Context `traceparent`. */
  readonly traceparent?: string | undefined
}

/** Where time goes, as spans. Off unless OTEL_EXPORTER_OTLP_ENDPOINT says who takes them. */
export interface Tracing {
  /** Runs something as a span, within the one that is open where it is called. */
  span<T>(name: string, options: SpanOptions, run: () => Promise<T>): Promise<T>
  /** Sends what is not sent yet. */
  close(): Promise<void>
}

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
