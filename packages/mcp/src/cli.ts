#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLanyardClient } from '@lanyard/client'
import { createKeystore, KeystoreError } from '@lanyard/signers'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type Address, toHex } from 'viem'
import { AgentError } from './agent/agent-error.ts'
import { openAgent } from './agent/open-agent.ts'
import { readCommand, readPassphrase } from './agent/passphrase-command.ts'
import { readSessions } from './agent/sessions.ts'
import { agentSettings, SettingsError } from './agent/settings.ts'
import { findCurrency, findNetwork, readNetworks, toBaseUnits } from './agent/tokens.ts'
import { linkFor } from './server/payment-tools.ts'
import { serveHttp } from './server/serve-http.ts'
import { createMcpServer } from './server/server.ts'

const help = `lanyard-mcp: lets an agent pay from a Lanyard account, within limits that the chain enforces

  lanyard-mcp init --url URL --wallet URL --account ADDRESS [--name NAME] [--origin ORIGIN]
                   [--purse NETWORK --ceiling AMOUNT [--seller ORIGIN]…] [--passphrase-command COMMAND]
                   writes settings and new keys; the account's owner then grants a session
  lanyard-mcp link --network ID --token SYMBOL --amount AMOUNT --to ADDRESS [--to …] [--days N]
                   prints the link with which the owner grants a session
  lanyard-mcp status                 what the owner allows, and what is left
  lanyard-mcp [serve]                serves MCP on standard input and output
  lanyard-mcp serve --http [PORT]    serves MCP on this machine: POST http://127.0.0.1:PORT/mcp (7402)

  --home FOLDER    where the settings, keys and payments are (~/.lanyard-agent)

  LANYARD_AGENT_PASSPHRASE  the passphrase of the key files. Without it, the program of --passphrase-command prints it,
                            such as 'secret-tool lookup service lanyard' for a keychain; quotes work as in a shell
  LANYARD_MCP_TOKEN         the token that HTTP callers send
`

const options = {
  home: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  wallet: { type: 'string' },
  account: { type: 'string' },
  name: { type: 'string' },
  origin: { type: 'string' },
  purse: { type: 'string' },
  ceiling: { type: 'string' },
  seller: { type: 'string', multiple: true },
  'passphrase-command': { type: 'string' },
  network: { type: 'string' },
  token: { type: 'string' },
  amount: { type: 'string' },
  to: { type: 'string', multiple: true },
  days: { type: 'string' },
  http: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>['values']

const defaultPort = 7402
const env = process.env

const folderOf = ({ home }: Values) => home ?? join(homedir(), '.lanyard-agent')
const settingsOf = (values: Values) => join(folderOf(values), 'agent.json')
const passphraseOf = () => env.LANYARD_AGENT_PASSPHRASE

function required(values: Values, name: keyof Values): string {
  const value = values[name]
  if (typeof value === 'string' && value !== '') return value
  throw new SettingsError(`--${name} is missing. lanyard-mcp --help shows what each command needs.`)
}

/** Writes the settings of a new agent, with new keys. Nothing that exists is overwritten. */
async function init(values: Values): Promise<void> {
  const folder = folderOf(values)
  const command = values['passphrase-command']
  const passphraseCommand = command === undefined ? undefined : readCommand(command)
  const passphrase = passphraseOf() ?? (passphraseCommand && (await readPassphrase(passphraseCommand)))
  if (!passphrase) {
    throw new SettingsError(
      'Set LANYARD_AGENT_PASSPHRASE, or --passphrase-command to a program that prints it: it encrypts the key files.',
    )
  }
  const url = required(values, 'url').replace(/\/$/, '')
  const { networks } = await createLanyardClient({ baseUrl: url }).system.networks()
  const sessionKeys = networks.find((one) => one.sessionKeys !== null)?.sessionKeys
  if (!sessionKeys) throw new SettingsError(`${url} has no network with session keys.`)
  const settings = {
    url,
    walletUrl: required(values, 'wallet').replace(/\/$/, ''),
    account: required(values, 'account'),
    sessionKeys,
    name: values.name ?? 'Agent',
    origin: values.origin ?? `http://localhost:${defaultPort}`,
    key: 'keystore:session-key.json',
    ...(passphraseCommand && { passphraseCommand }),
    contacts: {},
    ...(values.purse !== undefined && {
      purse: {
        network: Number(values.purse),
        key: 'keystore:purse-key.json',
        ceiling: required(values, 'ceiling'),
        sellers: values.seller ?? [],
      },
    }),
  }
  agentSettings.parse(settings)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const newKey = (name: string) =>
    createKeystore({ path: join(folder, name), privateKey: toHex(randomBytes(32)), passphrase })
  const sessionKey = await newKey('session-key.json')
  const purse = settings.purse && (await newKey('purse-key.json'))
  await writeFile(settingsOf(values), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  print(`Wrote ${settingsOf(values)}`)
  print(`Session key  ${sessionKey}`)
  if (purse) print(`Purse        ${purse}`)
  print('It may pay nothing yet. Next: lanyard-mcp link … prints a link for the owner.')
}

/** Prints the link with which the owner grants the session. */
async function link(values: Values): Promise<void> {
  const { agent, purse } = await openAgent(settingsOf(values), { passphrase: passphraseOf() })
  const network = findNetwork(
    await readNetworks(agent.lanyard, agent.settings),
    Number(required(values, 'network')),
  )
  const currency = findCurrency(network, required(values, 'token'))
  const to = (values.to ?? []).map((address) => ({
    address: (address === 'purse' ? (purse?.account.address ?? address) : address) as Address,
  }))
  const { account } = agent.settings
  const { sessions } = await readSessions(agent.lanyard, {
    account,
    key: agent.signer.key,
    network: network.network,
  })
  const amount = toBaseUnits(required(values, 'amount'), currency)
  print(
    await linkFor(agent, {
      network,
      currency,
      amount,
      to,
      session: sessions[0],
      days: Number(values.days ?? 30),
    }),
  )
}

async function status(values: Values): Promise<void> {
  const { agent } = await openAgent(settingsOf(values), { passphrase: passphraseOf() })
  const { sessions } = await readSessions(agent.lanyard, {
    ...{ account: agent.settings.account, key: agent.signer.key },
  })
  print(`Account ${agent.settings.account}, session key ${agent.signer.sessionKey}`)
  if (sessions.length === 0) print('The owner has allowed nothing yet.')
  for (const session of sessions) {
    print(`Network ${session.network}: ${session.state}, ${session.operationsLeft} operations left`)
    for (const line of session.description) print(`  ${line}`)
  }
}

async function serve(values: Values, [port]: readonly string[]): Promise<void> {
  const { agent, purse } = await openAgent(settingsOf(values), { passphrase: passphraseOf() })
  if (!values.http) {
    await createMcpServer(agent, purse).connect(new StdioServerTransport())
    return
  }
  const token = env.LANYARD_MCP_TOKEN
  if (!token || token.length < 16) {
    throw new SettingsError(
      'Set LANYARD_MCP_TOKEN to a secret of at least 16 characters: HTTP callers must send it.',
    )
  }
  const server = await serveHttp(agent, { purse, token, port: Number(port ?? defaultPort) })
  print(`Serving MCP at ${server.url}`)
}

/** Standard output belongs to MCP while it serves on it, so messages for people go there only otherwise. */
const print = (line: string) => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [command = 'serve', ...rest] = positionals
  if (values.help) return print(help)
  switch (command) {
    case 'init':
      return init(values)
    case 'link':
      return link(values)
    case 'status':
      return status(values)
    case 'serve':
      return serve(values, rest)
    default:
      throw new SettingsError(`There is no command ${command}. lanyard-mcp --help lists them.`)
  }
}

try {
  await main()
} catch (error) {
  const isExpected =
    error instanceof SettingsError ||
    error instanceof KeystoreError ||
    error instanceof AgentError ||
    (error instanceof TypeError && 'code' in error)
  process.stderr.write(`${isExpected ? (error as Error).message : String((error as Error).stack ?? error)}\n`)
  process.exitCode = 1
}
