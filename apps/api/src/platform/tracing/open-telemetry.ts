import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { version } from '../version.ts'
import type { Tracing } from './span.ts'

/** OpenTelemetry over OTLP/HTTP. It sets no global state, so that several services can run in one process. */
export function createOpenTelemetry(endpoint: string): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'lanyard', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  const tracer = provider.getTracer('lanyard', version)
  const contexts = new AsyncLocalStorageContextManager().enable()
  const propagator = new W3CTraceContextPropagator()

  return {
    span(name, { attributes = {}, traceparent }, run) {
      const parent =
        traceparent === undefined
          ? contexts.active()
          : propagator.extract(
              ROOT_CONTEXT,
              { traceparent },
              { get: (carrier: Record<string, string>, key) => carrier[key], keys: Object.keys },
            )
      const span = tracer.startSpan(name, { attributes }, parent)
      return contexts.with(trace.setSpan(parent, span), async () => {
        try {
          return await run()
        } catch (error) {
          // Only the code: messages and stacks may contain user data.
          span.setStatus({ code: SpanStatusCode.ERROR, message: toLanyardError(error).code })
          throw error
        } finally {
          span.end()
        }
      })
    },
    async close() {
      // A collector that does not answer must not delay the shutdown.
      await provider.shutdown().catch(() => {})
      contexts.disable()
    },
  }
}
