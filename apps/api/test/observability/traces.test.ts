/** @module-tag all */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readEnv } from '../../src/platform/environment/env.ts'
import { noTracing, startTracing } from '../../src/platform/tracing/tracing.ts'
import { ask, postJson, startHttpService } from '../http-service.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly status: { readonly code?: number; readonly message?: string }
}

/** A fake OpenTelemetry collector that takes OTLP over HTTP, as JSON. */
async function startCollector() {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    for (const { scopeSpans } of resourceSpans) for (const { spans: some } of scopeSpans) spans.push(...some)
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on TCP
  return {
    spans,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('default: tracing is off', async () => {
  expect(await startTracing(readEnv({}).OTEL_EXPORTER_OTLP_ENDPOINT)).toBe(noTracing)
})

test('behavior: a call and its bundler requests are spans of the caller’s trace', async () => {
  await using collector = await startCollector()
  const service = await startHttpService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const [traceId, parentSpanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const { body } = await postJson(`${service.url}/smart-account/create`, { eoaAddress: owner })
  await postJson(
    `${service.url}/smart-account/transaction/gas-fees`,
    {
      network: String(service.node.chainId),
      walletAddress: body.wallet.scw_address,
      transactionDetails: [{ targetContractAddress: owner, value: '0', encodedData: '0x' }],
    },
    { traceparent: `00-${traceId}-${parentSpanId}-01` },
  )
  await ask(`${service.url}/user?username=nobody`)
  await service[Symbol.asyncDispose]() // disposing the service sends the remaining spans

  const spanOf = (name: string) => collector.spans.find((span) => span.name === name)
  const call = spanOf('smartAccount.gasFees')
  expect(call).toMatchObject({ traceId, parentSpanId })
  expect(spanOf('bundler.estimate')).toMatchObject({ traceId, parentSpanId: call?.spanId })
  expect(spanOf('user.details')?.status).toEqual({ code: 2, message: 'UNKNOWN_USER' })
})

test('behavior: an unreachable collector does not delay requests', async () => {
  const service = await startHttpService({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect((await ask(`${service.url}/networks`)).status).toBe(200)
  await service[Symbol.asyncDispose]()
})
