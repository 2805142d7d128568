import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLanyardClient, type LanyardClient, sessionKeyOfAccount, signBuild } from '@lanyard/client'
import { startPaidApi } from '@lanyard/example-paid-api'
import { agentSettings, createMcpServer, createPaymentRecords } from '@lanyard/mcp'
import { freePorts, readyLine } from '@lanyard/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { type Address, createWalletClient, erc20Abi, http, parseEther, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { main } from '../programs/service.ts'
import { startProgram } from '../programs/start-program.ts'
import { devAccount } from '../wallets/chain.ts'

const chainId = 31337
/** Base units of USDC. */
const price = 10_000n

interface Shop {
  readonly lanyard: LanyardClient
  readonly serviceUrl: string
  /** The page that costs money. */
  readonly page: string
  readonly token: Address
  readonly sessionKeys: string
}

/** A service as `npm start` runs it, a shop, and three ways to buy from it. Each takes a reference. */
export async function startAgentFixture() {
  await using starting = new AsyncDisposableStack()
  const service = starting.use(
    await startProgram(main, {
      env: {
        ...{ PORT: '0', DEVNET_PORT: String(await freePorts(3)), LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
        PATH: process.env.PATH ?? '',
      },
      ready: readyLine,
    }),
  )
  const lanyard = createLanyardClient({ baseUrl: service.url })
  const { networks } = await lanyard.system.networks()
  const { settlementToken, sessionKeys, rpcUrl } = networks.find(({ network }) => network === chainId) ?? {}
  if (!settlementToken || !sessionKeys || !rpcUrl) throw new TypeError('A local network has all of these.')
  const token = settlementToken.address as Address // typed as string in the document
  const api = starting.use(
    await startPaidApi({
      ...{ chainId, rpcUrl, price, payTo: '0x00000000000000000000000000000000DeaDBeef' },
      facilitator: devAccount(6),
      token: { address: token, name: 'USD Coin (local)', version: '2' },
    }),
  )
  const shop: Shop = { lanyard, serviceUrl: service.url, page: `${api.url}/weather`, token, sessionKeys }
  const fromPurse = await createAgent(shop, { ceiling: '50' })
  starting.defer(fromPurse.close)
  const withRefill = await createAgent(shop, { ceiling: '0.01' })
  starting.defer(withRefill.close)
  const payBare = await createBareBuyer(shop, rpcUrl)
  const resources = starting.move()
  return {
    payBare,
    payFromPurse: fromPurse.pay,
    payWithRefill: withRefill.pay,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** A key that holds the tokens itself, with x402's own client. */
async function createBareBuyer({ lanyard, page, token }: Shop, rpcUrl: string) {
  const buyer = privateKeyToAccount(generatePrivateKey())
  const owner = await createOwner(lanyard)
  const rich = createWalletClient({ account: devAccount(7), transport: http(rpcUrl) }).extend(publicActions)
  await lanyard.wallet.faucet({ network: String(chainId), walletAddress: owner.account })
  // The account of a local network's faucet has tokens; anvil lets anyone send for it.
  await rich.request({ method: 'anvil_impersonateAccount', params: [owner.account] } as never)
  const hash = await rich.writeContract({
    ...{ account: owner.account, chain: null, address: token, abi: erc20Abi },
    ...{ functionName: 'transfer', args: [buyer.address, 50_000_000n] },
  })
  await rich.waitForTransactionReceipt({ hash })
  const client = new x402Client()
    .register(`eip155:${chainId}`, new ExactEvmScheme(buyer))
    .setSpendControls(false)
  const codec = new x402HTTPClient(client)
  return async () => {
    const requested = await fetch(page)
    const body = await requested.json().catch(() => undefined)
    const required = codec.getPaymentRequiredResponse((name) => requested.headers.get(name), body)
    const payload = await client.createPaymentPayload(required)
    const paid = await fetch(page, { headers: codec.encodePaymentSignatureHeader(payload) })
    if (paid.status !== 200) throw new Error(`The shop answered ${paid.status}: ${await paid.text()}`)
    await paid.text()
  }
}

async function createOwner(lanyard: LanyardClient) {
  const owner = privateKeyToAccount(generatePrivateKey())
  const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })
  return { owner, account: wallet.scw_address as Address }
}

/** An agent with a session key, a purse and an allowance of 50 USDC. */
async function createAgent(shop: Shop, { ceiling }: { readonly ceiling: string }) {
  const { lanyard, serviceUrl, page, token, sessionKeys } = shop
  const { owner, account } = await createOwner(lanyard)
  await lanyard.wallet.faucet({ network: String(chainId), walletAddress: account })
  const [sessionKey, purseKey] = [
    privateKeyToAccount(generatePrivateKey()),
    privateKeyToAccount(generatePrivateKey()),
  ]
  const now = Math.floor(Date.now() / 1000)
  const { userOp, messageToSign, signMode, transactionDetails } = await lanyard.sessionKey.enable({
    ...{ network: String(chainId), walletAddress: account, sessionKey: sessionKey.address },
    ...{ validAfter: now - 60, validUntil: now + 86_400 },
    permissions: [
      { type: 'erc20-token-allowance', token, allowance: '50000000', to: [purseKey.address] },
      { type: 'gas-fee-allowance', allowance: String(parseEther('0.1')), operations: 100 },
    ],
  })
  if (!userOp || !messageToSign || !signMode) throw new TypeError('An EOA owns the account')
  const request = { network: String(chainId), walletAddress: account, transactionDetails }
  const signature = await signBuild({ build: { userOp, messageToSign, signMode }, request, signer: owner })
  await lanyard.smartAccount.submit({ walletAddress: account, signature })

  const folder = await mkdtemp(join(tmpdir(), 'lanyard-bench-agent-'))
  const settings = agentSettings.parse({
    ...{ url: serviceUrl, walletUrl: serviceUrl, account, sessionKeys, name: 'Bench' },
    ...{ origin: 'http://localhost:7402', key: `remote:${sessionKey.address}` },
    purse: {
      network: chainId,
      key: `remote:${purseKey.address}`,
      ceiling,
      sellers: [new URL(page).origin],
    },
  })
  if (!settings.purse) throw new TypeError('It has a purse.')
  const server = createMcpServer(
    {
      ...{ lanyard, settings, signer: sessionKeyOfAccount(sessionKey) },
      records: createPaymentRecords(join(folder, 'payments')),
    },
    { account: purseKey, settings: settings.purse },
  )
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const model = new Client({ name: 'a bench', version: '1' })
  await Promise.all([server.connect(theirs), model.connect(ours)])
  return {
    async pay(reference: string): Promise<void> {
      const call = { name: 'pay_url', arguments: { url: page, maxAmount: '0.01', reference } }
      const { structuredContent, content } = await model.callTool(call)
      if (Object(structuredContent).status !== 'paid') throw new Error(JSON.stringify(content))
    },
    async close(): Promise<void> {
      await model.close()
      await rm(folder, { recursive: true })
    },
  }
}
