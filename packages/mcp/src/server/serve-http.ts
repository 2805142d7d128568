import { timingSafeEqual } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Agent } from '../agent/agent.ts'
import type { Purse } from '../x402/purse.ts'
import { createMcpServer } from './server.ts'

export interface HttpServer extends AsyncDisposable {
  readonly url: string
}

/**
 * Serves an agent over streamable HTTP on this machine only. Every request needs the token, because any
 * program and any web page could reach the port. The SDK's application checks Host, against DNS rebinding.
 *
 * @param port - 0: any free one
 */
export async function serveHttp(
  agent: Agent,
  {
    purse,
    token,
    port,
  }: { readonly purse: Purse | undefined; readonly token: string; readonly port: number },
): Promise<HttpServer> {
  const app = createMcpExpressApp()
  const expected = Buffer.from(`Bearer ${token}`)
  app.use((request, response, next) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length === expected.length && timingSafeEqual(given, expected)) return next()
    response.status(401).json({ error: 'Send the token: Authorization: Bearer …' })
  })
  // Each request has a server of its own, so that nothing is kept between callers.
  app.post('/mcp', async (request, response) => {
    const server = createMcpServer(agent, purse)
    const transport = new StreamableHTTPServerTransport()
    response.on('close', () => void server.close())
    await server.connect(transport)
    await transport.handleRequest(request, response, request.body)
  })
  app.all('/mcp', (_, response) => void response.status(405).set('Allow', 'POST').end())

  const http = await new Promise<Server>((resolve, reject) => {
    const listening = app.listen(port, '127.0.0.1', () => resolve(listening))
    listening.once('error', reject)
  })
  const { port: opened } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${opened}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
