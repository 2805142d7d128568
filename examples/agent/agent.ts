/**
 * A scripted agent: it calls the tools that a model would call. It buys from a paid API until its limit, asks
 * its owner for more, and goes on. In the end a thief tries the stolen session key. Run it against `npm start`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLanyardClient, type LanyardClient, sessionKeyOfAccount, signBuild } from '@lanyard/client'
import { startPaidApi } from '@lanyard/example-paid-api'
import { agentSettings, createMcpServer, createPaymentRecords } from '@lanyard/mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

const url = process.env.LANYARD_URL ?? 'http://127.0.0.1:3000'
const chainId = 31337
const lanyard = createLanyardClient({ baseUrl: url })
const { networks } = await lanyard.system.networks()
const network = networks.find((one) => one.network === chainId)
const { settlementToken, sessionKeys, rpcUrl } = network ?? {}
if (!settlementToken || !sessionKeys || !rpcUrl)
  throw new Error('This example needs the local networks of npm start.')
const token = settlementToken.address as Address // typed as string in the document

// The shop. PUBLIC key: anvil's fifth account, which pays the gas of its settlements.
const facilitator = privateKeyToAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
const shopOwner = privateKeyToAccount(generatePrivateKey())
const shop = await lanyard.smartAccount.create({ eoaAddress: shopOwner.address })
await using api = await startPaidApi({
  ...{ chainId, rpcUrl, facilitator, price: 400_000n, payTo: shop.wallet.scw_address as Address },
  token: { address: token, name: 'USD Coin (local)', version: '2' },
})

// The owner and the account. In production this is a person with a passkey, and the wallet.
const owner = privateKeyToAccount(generatePrivateKey())
const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })
const account = wallet.scw_address as Address
await lanyard.wallet.faucet({ network: String(chainId), walletAddress: account })

// The agent: a session key, a purse, and what its operator wrote in agent.json.
const [sessionKey, purseKey] = [
  privateKeyToAccount(generatePrivateKey()),
  privateKeyToAccount(generatePrivateKey()),
]
const folder = await mkdtemp(join(tmpdir(), 'lanyard-agent-'))
const settings = agentSettings.parse({
  ...{ url, walletUrl: url, account, sessionKeys, name: 'Weather agent', origin: 'http://localhost:7402' },
  key: `remote:${sessionKey.address}`, // both keys are in this process; `lanyard-mcp` opens them from files
  purse: { network: chainId, key: `remote:${purseKey.address}`, ceiling: '1', sellers: [api.url] },
})
if (!settings.purse) throw new TypeError('It has a purse.')
const server = createMcpServer(
  {
    lanyard,
    settings,
    signer: sessionKeyOfAccount(sessionKey),
    records: createPaymentRecords(join(folder, 'payments')),
  },
  { account: purseKey, settings: settings.purse },
)
const [ours, theirs] = InMemoryTransport.createLinkedPair()
const model = new Client({ name: 'a scripted model', version: '1.0.0' })
await Promise.all([server.connect(theirs), model.connect(ours)])

type Answer = Record<string, unknown> & { readonly status?: string; readonly link?: string }
async function call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { structuredContent, content, isError } = await model.callTool({ name, arguments: args })
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent as Answer
}

for (let day = 1; day <= 4; day++) {
  const purchase = { url: `${api.url}/weather`, maxAmount: '0.5', reference: `weather of day ${day}` }
  let answer = await call('pay_url', purchase)
  if (answer.status === 'needs_owner' && answer.link) {
    console.log(`day ${day}: ${answer.why} The agent asks its owner:\n  ${answer.link.slice(0, 76)}…`)
    await grant(lanyard, { owner, account, link: answer.link })
    answer = await call('pay_url', purchase)
  }
  console.log(`day ${day}: ${answer.status}, ${answer.amount ?? answer.note}`)
}
console.log('the purse:', JSON.stringify(await call('get_purse'), null, 2))

// A thief has the session key. Whatever the thief signs, the chain allows only payments to the purse.
console.log(`a thief with the session key gets ${await steal(lanyard)} of the account's tokens`)
await rm(folder, { recursive: true })

/** What a person does in the wallet: reads the link, and signs the grant. */
async function grant(
  { sessionKey, smartAccount }: LanyardClient,
  {
    owner,
    account,
    link,
  }: { readonly owner: PrivateKeyAccount; readonly account: Address; readonly link: string },
): Promise<void> {
  const text = new URLSearchParams(new URL(link).hash.slice(1)).get('request') ?? ''
  const { key, duration, permissions } = JSON.parse(Buffer.from(text, 'base64url').toString())
  const now = Math.floor(Date.now() / 1000)
  const plan = await sessionKey.enable({
    ...{ network: String(chainId), walletAddress: account, sessionKey: key, permissions },
    ...{ validAfter: now - 60, validUntil: now + duration },
  })
  const { userOp, messageToSign, signMode, transactionDetails } = plan
  if (!userOp || !messageToSign || !signMode) throw new TypeError('An EOA owns the account')
  const request = { network: String(chainId), walletAddress: account, transactionDetails }
  const signature = await signBuild({ build: { userOp, messageToSign, signMode }, request, signer: owner })
  await smartAccount.submit({ walletAddress: account, signature })
}

/** Tries to send a token to the thief. @returns base units stolen */
async function steal({ sessionKey: sessions }: LanyardClient): Promise<bigint> {
  const thief = privateKeyToAccount(generatePrivateKey()).address
  const encodedData = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [thief, 1n] })
  const { allowed } = await sessions.check({
    ...{ network: String(chainId), walletAddress: account, sessionKey: sessionKey.address },
    transactionDetails: [{ targetContractAddress: token, value: '0', encodedData }],
  })
  return allowed ? 1n : 0n
}
