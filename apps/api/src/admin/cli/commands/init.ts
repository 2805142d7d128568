import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PresetName, presetNames } from '@lanyard/networks'
import type { Command } from 'commander'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { withManual } from '../manual.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

const settingsFile = 'lanyard.env'
const networksFile = 'networks.json'

const about = `
Asks for what it is not told, and writes two files: ${settingsFile}, with a new TOKEN_KEY, readable by this user
alone, and ${networksFile}. It changes no file that is there. Every command reads ${settingsFile} of the folder where it runs.`

interface InitOptions {
  readonly domain?: string
  readonly networks?: string
  readonly database?: string
  readonly folder: string
  readonly json?: boolean
}

/** `lanyard init`. */
export function addInit(group: Command): void {
  withManual(withJson(group), {
    about,
    environment: {},
    endings: { misused: 'an answer is missing or wrong, or one of the files is there already' },
    examples: [
      'init',
      'init --domain wallet.example.com --networks base,optimism --database postgresql:///lanyard',
    ],
  })
    .option('--domain <name>', 'where the wallet is; passkeys belong to this domain forever')
    .option('--networks <presets>', `separated by commas, of ${presetNames.join(', ')}`)
    .option('--database <url>', 'PostgreSQL 15 or later')
    .option('--folder <path>', 'where the files are written', '.')
    .action((options: InitOptions) => runInit(options))
}

async function runInit(options: InitOptions): Promise<void> {
  const at = (file: string) => join(options.folder, file)
  for (const file of [settingsFile, networksFile])
    if (existsSync(at(file)))
      throw new ConfigurationError('This folder', [
        `${file} is here already. Move it away, or use another folder`,
      ])
  const domain = readDomain(
    await answer(
      options.domain,
      '--domain',
      'Domain of the wallet, which you will keep (wallet.example.com): ',
    ),
  )
  const networks = readNetworks(
    await answer(
      options.networks,
      '--networks',
      `Networks, separated by commas, of ${presetNames.join(', ')}: `,
    ),
  )
  const database = readDatabase(
    await answer(options.database, '--database', 'PostgreSQL (postgresql://user:password@host/lanyard): '),
  )
  await writeFile(at(networksFile), networksText(networks), { flag: 'wx' })
  // It holds a key and, usually, a password.
  await writeFile(at(settingsFile), settingsText(domain, database, networks), { flag: 'wx', mode: 0o600 })
  const output = createOutput(options)
  output.say(`Wrote ${settingsFile} and ${networksFile}. Next:
  1. Fill in what is empty in ${settingsFile}: addresses of RPCs, and the key that pays for operations.
  2. lanyard migrate     creates the tables
  3. lanyard preflight   says what is missing, and sends nothing
  4. lanyard start`)
  output.finish({ settings: at(settingsFile), networks: at(networksFile) })
}

async function answer(given: string | undefined, option: string, question: string): Promise<string> {
  const { ask } = terminal()
  if (given === undefined && !ask)
    throw new ConfigurationError('The command line', [
      `${option} is missing, and there is no terminal to ask in`,
    ])
  return (given ?? (await ask?.(question)) ?? '').trim()
}

function readDomain(text: string): string {
  const isName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(text)
  if (isName) return text
  throw new ConfigurationError('The domain', [
    `${JSON.stringify(text)}: write it without https:// and in small letters, such as wallet.example.com`,
  ])
}

function readNetworks(text: string): readonly PresetName[] {
  const isPreset = (name: string): name is PresetName => (presetNames as readonly string[]).includes(name)
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.filter((name) => !isPreset(name))
  if (unknown.length === 0) return names.filter(isPreset)
  throw new ConfigurationError('The networks', [
    `unknown: ${unknown.map((name) => JSON.stringify(name)).join(', ')}. The presets are ${presetNames.join(', ')}; others are added to ${networksFile} by hand.`,
  ])
}

function readDatabase(text: string): string {
  // A line break would begin another setting.
  if (/^postgres(?:ql)?:\/\/[^\s'"]*$/.test(text) && URL.canParse(text)) return text
  throw new ConfigurationError('The database', [
    'an address has the form postgresql://user:password@host/name',
  ])
}

/** BASE_SEPOLIA_RPC_URL */
const rpcVariable = (preset: PresetName, index: 1 | 2) =>
  `${preset.toUpperCase().replaceAll('-', '_')}_RPC_URL${index === 1 ? '' : '_2'}`

const networksText = (networks: readonly PresetName[]) =>
  `${JSON.stringify(
    {
      networks: networks.map((preset) => ({
        preset,
        rpcUrls: ([1, 2] as const).map((index) => `\${${rpcVariable(preset, index)}}`),
      })),
    },
    null,
    2,
  )}\n`

function settingsText(domain: string, database: string, networks: readonly PresetName[]): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return `# Settings of Lanyard: every command of this folder reads them. All of them: /docs/configuration of a running service.
NODE_ENV=production

# The domain of the wallet. Passkeys belong to it forever.
RP_ID=${domain}
ORIGINS=https://${domain}
# How many proxies stand before the service: it listens to HTTP, and something before it ends TLS.
TRUST_PROXY=1

DATABASE_URL='${database}'

# Signs the tokens of users. Keep it secret; all processes have the same one.
TOKEN_KEY='${JSON.stringify(privateKey.export({ format: 'jwk' }))}'

NETWORKS_FILE=${networksFile}
# Two of two providers for each network: one that lies could cost you what the smart balance lends.
${networks.flatMap((preset) => ([1, 2] as const).map((index) => `${rpcVariable(preset, index)}=`)).join('\n')}

# Pays the gas of operations, and is paid back by them: 0x…, keystore:<file>, remote:<address> or a key of a key service.
# It needs some ETH on each network.
RELAYER_PRIVATE_KEYS=
`
}
