import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import type { SupportedResponse } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { type Account, type Address, createWalletClient, defineChain, http, publicActions } from 'viem'

export interface PaidApiOptions {
  readonly chainId: number
  readonly rpcUrl: string
  /** A token with EIP-3009, and the name and version of its EIP-712 domain. */
  readonly token: { readonly address: Address; readonly name: string; readonly version: string }
  /** Base units of the token for each request. */
  readonly price: bigint
  /** Who earns, for example a Lanyard account. It need not be deployed. */
  readonly payTo: Address
  /** Pays the gas of settlements. */
  readonly facilitator: Account
  /** Default: any free port. */
  readonly port?: number
}

export interface PaidApi extends AsyncDisposable {
  /** The page that costs money is at `/weather`. */
  readonly url: string
}

/**
 * A web server whose page `/weather` costs money, by x402's published seller and facilitator. A shop usually
 * uses a facilitator of somebody else, over HTTP; here it is in the same process, so that all of it is local.
 */
export async function startPaidApi(options: PaidApiOptions): Promise<PaidApi> {
  const { chainId, token, price, payTo, port = 0 } = options
  const network = `eip155:${chainId}` as const
  const accepts = {
    ...({ scheme: 'exact', network, payTo, maxTimeoutSeconds: 600 } as const),
    price: {
      asset: token.address,
      amount: String(price),
      extra: { name: token.name, version: token.version },
    },
  }
  const seller = new x402HTTPResourceServer(
    new x402ResourceServer(createFacilitator(options)).register(network, new SellerScheme()),
    { 'GET /weather': { accepts, description: 'The weather' } },
  )
  await seller.initialize()

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const result = await seller.processHTTPRequest({
      ...{ adapter: adapterOf(request), path: pathname, method: request.method ?? 'GET' },
    })
    if (result.type === 'payment-error') {
      const { status, headers, body } = result.response
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
      return
    }
    if (result.type === 'no-payment-required') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('The weather is at /weather.')
      return
    }
    const settled = await seller.processSettlement(result.paymentPayload, result.paymentRequirements)
    response
      .writeHead(settled.success ? 200 : 402, { 'content-type': 'text/plain', ...settled.headers })
      .end(settled.success ? 'It is sunny.' : 'The payment was not settled.')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Verifies payments, and brings them to the chain. */
function createFacilitator({ chainId, rpcUrl, facilitator: account }: PaidApiOptions) {
  const chain = defineChain({
    ...{ id: chainId, name: `Network ${chainId}`, rpcUrls: { default: { http: [rpcUrl] } } },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  })
  const client = createWalletClient({ account, chain, transport: http(rpcUrl) }).extend(publicActions)
  const signer = toFacilitatorEvmSigner(Object.assign(client, { address: account.address }) as never)
  const facilitator = new x402Facilitator().register([`eip155:${chainId}`], new FacilitatorScheme(signer))
  return {
    verify: facilitator.verify.bind(facilitator),
    settle: facilitator.settle.bind(facilitator),
    // Its type says `string` where it has a CAIP-2 network.
    getSupported: async () => facilitator.getSupported() as SupportedResponse,
  }
}

const adapterOf = ({ headers, method = 'GET', url = '/' }: IncomingMessage) => ({
  getHeader: (name: string) => headers[name.toLowerCase()]?.toString(),
  getMethod: () => method,
  getPath: () => new URL(url, 'http://localhost').pathname,
  getUrl: () => `http://${headers.host ?? 'localhost'}${url}`,
  getAcceptHeader: () => headers.accept ?? '',
  getUserAgent: () => headers['user-agent'] ?? '',
})
