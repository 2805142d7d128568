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
