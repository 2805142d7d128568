import { dirname, join } from 'node:path'
import { createLanyardClient, sessionKeyOfAccount } from '@lanyard/client'
import { createRemoteSigner, type ObserveSigning, openSigner, parseKeySource } from '@lanyard/signers'
import type { Purse } from '../x402/purse.ts'
import type { Agent } from './agent.ts'
import { AgentError } from './agent-error.ts'
import { readPassphrase } from './passphrase-command.ts'
import { createPaymentRecords } from './payment-records.ts'
import { type AgentSettings, readSettings, SettingsError } from './settings.ts'

/** Milliseconds. */
const signerTimeout = 10_000

/**
 * Opens an agent's keys. The passphrase of key files comes from LANYARD_AGENT_PASSPHRASE, or from the settings'
 * `passphraseCommand`.
 *
 * @param path - the settings file; payments are recorded in the folder `payments` beside it
 * @throws SettingsError, KeystoreError
 */
export async function openAgent(
  path: string,
  { passphrase }: { readonly passphrase?: string | undefined } = {},
): Promise<{ readonly agent: Agent; readonly purse: Purse | undefined }> {
  const settings = await readSettings(path)
  const open = await keyOpener(settings, passphrase)
  const agent: Agent = {
    lanyard: createLanyardClient({
      baseUrl: settings.url,
      ...(settings.apiKey !== undefined && { apiKey: settings.apiKey }),
    }),
    settings,
    signer: sessionKeyOfAccount(await open(settings.key)),
    records: createPaymentRecords(join(dirname(path), 'payments')),
  }
  const purse = settings.purse && { account: await open(settings.purse.key), settings: settings.purse }
  return { agent, purse }
}

async function keyOpener(
  { signerUrl, passphraseCommand, ...settings }: AgentSettings,
  passphrase: string | undefined,
) {
  const usesFiles = [settings.key, settings.purse?.key].some((key) => key?.startsWith('keystore:'))
  const secret = usesFiles
    ? (passphrase ?? (passphraseCommand && (await readPassphrase(passphraseCommand))))
    : undefined
  const remote =
    signerUrl === undefined ? undefined : createRemoteSigner({ url: signerUrl, timeout: signerTimeout })
  return async (text: string) => {
    const source = parseKeySource(text)
    if (!source) throw new SettingsError(`${text} names no key`)
    if (source.kind === 'remote' && !remote) throw new SettingsError('A remote key needs signerUrl')
    if (source.kind === 'keystore' && secret === undefined) {
      throw new SettingsError(
        'A key file needs LANYARD_AGENT_PASSPHRASE, or passphraseCommand in the settings',
      )
    }
    return openSigner(source, { passphrase: secret, remote, observe: explainFailure })
  }
}

/** The signer's own errors speak to an operator of the service. */
const explainFailure: ObserveSigning = async (sign) => {
  try {
    return await sign()
  } catch (cause) {
    throw new AgentError(
      "The signer of this agent's keys did not sign: it is unavailable, or refuses. Try again later with the same reference; it never pays twice.",
      { cause },
    )
  }
}
