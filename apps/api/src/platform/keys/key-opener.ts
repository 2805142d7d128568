import { readFile } from 'node:fs/promises'
import { LanyardError } from '@lanyard/contracts'
import {
  createKmsOpener,
  createRemoteSigner,
  type KeySource,
  KeystoreError,
  type ObserveSigning,
  openSigner,
  type RemoteSigner,
  type SignerSettings,
} from '@lanyard/signers'
import type { LocalAccount } from 'viem'
import { ConfigurationError } from '../environment/configuration-error.ts'
import type { Env } from '../environment/env.ts'
import { hideSecrets } from '../secrets/hidden-secrets.ts'

/** The variables for opening keys, shared by the environments of the service and of the command line. */
export type KeyVariables = Pick<
  Env,
  | 'KEYSTORE_PASSPHRASE'
  | 'KEYSTORE_PASSPHRASE_FILE'
  | 'SIGNER_URL'
  | 'SIGNER_TOKEN_FILE'
  | 'SIGNER_CA_FILE'
  | 'SIGNER_CERT_FILE'
  | 'SIGNER_KEY_FILE'
  | 'SIGNER_TIMEOUT'
  | 'KMS_ENDPOINT'
>

type PassphraseVariables = Pick<KeyVariables, 'KEYSTORE_PASSPHRASE' | 'KEYSTORE_PASSPHRASE_FILE'>

/**
 * Opens one key.
 *
 * @param observe - wraps every request to a remote signer for the key
 * @throws ConfigurationError that begins with the variable's name
 */
export type OpenKey = (variable: string, source: KeySource, observe?: ObserveSigning) => Promise<LocalAccount>

/** The additional settings of keys are read once, when the first key needs them. */
export function createKeyOpener(env: KeyVariables): OpenKey {
  let passphrase: Promise<string> | undefined
  let remote: Promise<RemoteSigner> | undefined
  let kms: ReturnType<typeof createKmsOpener> | undefined
  const settingsFor = async ({ kind }: KeySource): Promise<SignerSettings> => {
    if (kind === 'keystore') {
      passphrase ??= readPassphrase(env)
      return { passphrase: await passphrase, hide: (secret) => hideSecrets([secret]) }
    }
    if (kind === 'remote') {
      remote ??= connect(env)
      return { remote: await remote }
    }
    kms ??= createKmsOpener({ timeout: env.SIGNER_TIMEOUT * 1000, endpoint: env.KMS_ENDPOINT })
    return { kms }
  }
  return async (variable, source, observe) => {
    try {
      return await openSigner(source, { ...(await settingsFor(source)), observe })
    } catch (error) {
      if (error instanceof LanyardError) {
        const problem = `its public key cannot be read: ${String(error.cause)}. With #<address> behind it, the service starts without asking.`
        throw new ConfigurationError('The environment', [`${variable}: ${problem}`])
      }
      if (!(error instanceof KeystoreError) && !(error instanceof MissingSetting)) throw error
      throw new ConfigurationError('The environment', [`${variable}: ${error.message}`])
    }
  }
}

/** A setting that a key needs is missing in the environment or in the file that it names. */
class MissingSetting extends Error {
  override readonly name = 'MissingSetting'
}

/**
 * The passphrase of the environment's encrypted files.
 *
 * @throws ConfigurationError without one
 */
export async function requirePassphrase(env: PassphraseVariables): Promise<string> {
  try {
    return await readPassphrase(env)
  } catch (error) {
    if (!(error instanceof MissingSetting)) throw error
    throw new ConfigurationError('The environment', [error.message])
  }
}

async function readPassphrase(env: PassphraseVariables): Promise<string> {
  const { KEYSTORE_PASSPHRASE, KEYSTORE_PASSPHRASE_FILE } = env
  if (KEYSTORE_PASSPHRASE !== undefined) return KEYSTORE_PASSPHRASE
  if (KEYSTORE_PASSPHRASE_FILE === undefined) {
    throw new MissingSetting('an encrypted file, so KEYSTORE_PASSPHRASE_FILE is needed')
  }
  return readSecret('KEYSTORE_PASSPHRASE_FILE', KEYSTORE_PASSPHRASE_FILE)
}

async function connect(env: KeyVariables): Promise<RemoteSigner> {
  const { SIGNER_URL, SIGNER_TOKEN_FILE, SIGNER_CA_FILE, SIGNER_CERT_FILE, SIGNER_KEY_FILE } = env
  if (SIGNER_URL === undefined) throw new MissingSetting('a remote key, so SIGNER_URL is needed')
  const optional = async (variable: string, path: string | undefined) =>
    path === undefined ? undefined : readSecret(variable, path)
  return createRemoteSigner({
    url: SIGNER_URL,
    timeout: env.SIGNER_TIMEOUT * 1000,
    token: await optional('SIGNER_TOKEN_FILE', SIGNER_TOKEN_FILE),
    tls: {
      ca: await optional('SIGNER_CA_FILE', SIGNER_CA_FILE),
      cert: await optional('SIGNER_CERT_FILE', SIGNER_CERT_FILE),
      key: await optional('SIGNER_KEY_FILE', SIGNER_KEY_FILE),
    },
  })
}

/** Secrets in files usually end with a line break; a PEM does not need it. */
async function readSecret(variable: string, path: string): Promise<string> {
  try {
    const secret = (await readFile(path, 'utf8')).replace(/\r?\n$/, '')
    hideSecrets([secret])
    return secret
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new MissingSetting(`${variable} (${path}) cannot be read (${code})`, { cause })
  }
}
