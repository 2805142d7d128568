import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomPrivateKey } from '@lanyard/testing'
import { keccak256 } from 'viem'
import { sign } from 'viem/accounts'

/** A signer that signs every request with an unrelated key. */
export async function startWrongKeySigner() {
  const privateKey = randomPrivateKey()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    response.end(await sign({ hash: keccak256(JSON.parse(text).data), privateKey, to: 'hex' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
