import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseKeySource } from '@lanyard/signers'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), 'Expected an address: 0x and 40 hex digits')
  .transform((text): Address => getAddress(text))

/** HTTPS, or HTTP to this machine. */
const secureUrl = z
  .url()
  .refine((text) => isSecureUrl(new URL(text)), 'Expected https, or http to localhost')
  .transform((text) => text.replace(/\/$/, ''))

const loopback = ['localhost', '127.0.0.1', '[::1]']

export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname))

const origin = secureUrl.refine((text) => new URL(text).origin === text, 'Expected an origin, without a path')

const keySource = z.string().refine((text) => {
  const source = parseKeySource(text)
  return source !== undefined && source.kind !== 'inline'
}, 'Expected keystore:<path> or remote:<address>')

/** A decimal amount in whole units of a token, such as `12.5`. */
export const decimalAmount = z
  .string()
  .regex(/^(0|[1-9]\d{0,29})(\.\d{1,30})?$/, 'Expected a decimal number such as 12.5')

const purse = z.strictObject({
  network: z.int().positive(),
  /** Where its key is stored. */
  key: keySource,
  /** The most that it ever holds, in whole units of the token. A lost purse loses at most this. */
  ceiling: decimalAmount,
  /** Origins that it may pay, such as `https://api.example.com`. */
  sellers: z.array(origin).max(256).default([]),
})

/** The file that configures one agent. The person who runs the agent writes it; the model never does. */
export const agentSettings = z.strictObject({
  /** The service. */
  url: secureUrl,
  /** The key of a project, if the service requires one. */
  apiKey: z.string().optional(),
  /** The wallet in which the owner grants sessions. */
  walletUrl: secureUrl,
  /** The account that pays. */
  account: address,
  /** The SessionKeys contract, pinned when the file was written. */
  sessionKeys: address,
  /** How the agent introduces itself to the owner. */
  name: z.string().trim().min(1).max(40),
  /** The agent's own site, which the wallet shows as a claim. */
  origin,
  /** Where the session key is stored. */
  key: keySource,
  /** Web3Signer, for keys that are stored there. */
  signerUrl: secureUrl.optional(),
  /** A program that prints the passphrase of the key files, such as `secret-tool lookup service lanyard`. */
  passphraseCommand: z.array(z.string()).min(1).optional(),
  /** Names of the recipients that the owner knows. */
  contacts: z.record(z.string().trim().min(1).max(40), address).default({}),
  /** Tokens besides each network's own. */
  tokens: z
    .array(
      z.strictObject({
        network: z.int().positive(),
        address,
        symbol: z.string().min(1).max(12),
        decimals: z.int().min(0).max(36),
      }),
    )
    .default([]),
  purse: purse.optional(),
})

export type AgentSettings = z.output<typeof agentSettings>
export type PurseSettings = z.output<typeof purse>

/** The settings cannot be used. The message is for the person who wrote them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads the settings of an agent. Paths of key files are relative to the file.
 *
 * @throws SettingsError if the file is missing, is not JSON, or has a wrong field
 */
export async function readSettings(path: string): Promise<AgentSettings> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new SettingsError(`${path} cannot be read. Create it with: lanyard-mcp init`, { cause })
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new SettingsError(`${path} is not JSON`, { cause })
  }
  const read = agentSettings.safeParse(json)
  if (!read.success) throw new SettingsError(`${path}:\n${z.prettifyError(read.error)}`)
  const inFolder = (key: string) =>
    key.startsWith('keystore:') ? `keystore:${resolve(dirname(path), key.slice('keystore:'.length))}` : key
  const { key, purse, ...settings } = read.data
  return {
    ...settings,
    key: inFolder(key),
    ...(purse && { purse: { ...purse, key: inFolder(purse.key) } }),
  }
}
