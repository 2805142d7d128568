interface SpanOptions {
  readonly attributes?: Readonly<Record<string, string | number>>
  /** W3C Trace Context `traceparent` of the request that starts the span. */
  readonly traceparent?: string | undefined
}

/** Traces of where time is spent. Off unless OTEL_EXPORTER_OTLP_ENDPOINT names a collector. */
export interface Tracing {
  /** Runs a function as a span, within the current span. */
  span<T>(name: string, options: SpanOptions, run: () => Promise<T>): Promise<T>
  /** Sends the remaining spans. */
  close(): Promise<void>
}
