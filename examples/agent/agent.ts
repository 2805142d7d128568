/**
 * A scripted agent: it calls the tools that a model would call. It buys from a paid API until its limit, asks
 * its owner for more, and goes on. In the end a thief tries the stolen session key. Run it against `npm start`.
 * With LANYARD_ACCOUNT it uses that account, whose owner opens the printed links in the wallet; without, it
 * creates an account and grants by itself.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLanyardClient, sessionKeyOfAccount, signBuild } from '@lanyard/client'
import { startPaidApi } from '@lanyard/example-paid-api'
import { agentSettings, createMcpServer, createPaymentRecords } from '@lanyard/mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type Address, formatEther, formatUnits, getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { steal } from './thief.ts'

const url = process.env.LANYARD_URL ?? 'http://127.0.0.1:3000'
const chainId = 31337
const lanyard = createLanyardClient({ baseUrl: url })
const { networks } = await lanyard.system.networks()
const network = networks.find((one) => one.network === chainId)
const { settlementToken, sessionKeys, rpcUrl } = network ?? {}
if (!settlementToken || !sessionKeys || !rpcUrl)
  throw new Error('This example needs the local networks of npm start.')
// An address is typed as string in the document.
const token = { ...settlementToken, address: settlementToken.address as Address }

// The shop. PUBLIC key: anvil's fifth account, which pays the gas of its settlements.
const facilitator = privateKeyToAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
const shopOwner = privateKeyToAccount(generatePrivateKey())
const shop = await lanyard.smartAccount.create({ eoaAddress: shopOwner.address })
await using api = await startPaidApi({
  ...{ chainId, rpcUrl, facilitator, price: 400_000n, payTo: shop.wallet.scw_address as Address },
  token: { address: token.address, name: 'USD Coin (local)', version: '2' },
})

// The account: a person's, or one of this program's own.
const owner = privateKeyToAccount(generatePrivateKey())
const person = process.env.LANYARD_ACCOUNT
const account = person ? getAddress(person) : await createAccount()

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
    console.log(`day ${day}: ${answer.why} The agent asks its owner:\n  ${answer.link}`)
    if (!person) await grant(answer.link)
    do {
      await delay(1_000)
      answer = await call('pay_url', purchase)
    } while (answer.status === 'needs_owner') // a person takes the time that it takes
  }
  console.log(`day ${day}: ${answer.status}, ${answer.amount ?? answer.note}`)
}
console.log('the purse:', JSON.stringify(await call('get_purse'), null, 2))

// A thief has the session key, and goes to the chain directly. PUBLIC key: anvil's sixth account.
const thief = privateKeyToAccount('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba')
const loss = await steal({
  ...{ rpcUrl, chainId, account, sessionKeys: sessionKeys as Address, key: sessionKey, thief },
  ...{ token: token.address, amount: 200_000n },
})
console.log(
  `a thief with the session key gets ${formatUnits(loss.stolen, token.decimals)} of the account's tokens: ${loss.rule} on chain`,
)
console.log(
  `the attempt cost the account ${formatEther(loss.fee)} ETH; until the owner revokes the key, at most ${formatEther(loss.feesLeft)} ETH more`,
)
await rm(folder, { recursive: true })

async function createAccount(): Promise<Address> {
  const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })
  await lanyard.wallet.faucet({ network: String(chainId), walletAddress: wallet.scw_address })
  return getAddress(wallet.scw_address)
}

/** What a person does in the wallet: reads the link, and signs the grant. */
async function grant(link: string): Promise<void> {
  const text = new URLSearchParams(new URL(link).hash.slice(1)).get('request') ?? ''
  const { key, duration, permissions } = JSON.parse(Buffer.from(text, 'base64url').toString())
  const now = Math.floor(Date.now() / 1000)
  const plan = await lanyard.sessionKey.enable({
    ...{ network: String(chainId), walletAddress: account, sessionKey: key, permissions },
    ...{ validAfter: now - 60, validUntil: now + duration },
  })
  const { userOp, messageToSign, signMode, transactionDetails } = plan
  if (!userOp || !messageToSign || !signMode) throw new TypeError('An EOA owns the account')
  const request = { network: String(chainId), walletAddress: account, transactionDetails }
  const signature = await signBuild({ build: { userOp, messageToSign, signMode }, request, signer: owner })
  await lanyard.smartAccount.submit({ walletAddress: account, signature })
}
