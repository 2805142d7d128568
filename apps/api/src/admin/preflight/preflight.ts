import { withoutSecrets } from '../../platform/secrets/hidden-secrets.ts'
import { checkBundler } from './checks/bundler.ts'
import { checkCanonical } from './checks/canonical.ts'
import { checkChain } from './checks/chain.ts'
import { checkEpochs, checkOwnership, checkSessionKeys } from './checks/code.ts'
import { checkCosts } from './checks/costs.ts'
import { checkEip7702 } from './checks/eip7702.ts'
import { checkEndpoints } from './checks/endpoints.ts'
import { checkOrigins } from './checks/origins.ts'
import { checkP256 } from './checks/p256.ts'
import { checkProviders } from './checks/provider.ts'
import { checkRelayerTreasury } from './checks/relayer-treasury.ts'
import { checkSendEndpoints } from './checks/send-endpoints.ts'
import { checkSenders } from './checks/senders.ts'
import { checkSmartBalance } from './checks/smart-balance.ts'
import { checkToken } from './checks/token.ts'
import { type Finding, finding } from './finding.ts'
import type { Severity } from './finding-table.ts'
import type { Check, Subject } from './subject.ts'

/** The findings of preflight on one network. */
export interface NetworkReport {
  readonly network: number
  readonly name: string
  /** Errors first. */
  readonly findings: readonly Finding[]
}

const weights: readonly Severity[] = ['error', 'warning', 'note']

/** A network before any request. */
export type PreflightSubject = Omit<Subject, 'node'>

/**
 * Checks a network against its configuration. It only reads and never throws: a check that cannot run is a
 * finding. Checks that depend on a failed one are skipped, so that each fault is reported once.
 */
export async function preflightNetwork(request: PreflightSubject): Promise<NetworkReport> {
  const { config } = request.network
  const subject: Subject = { ...request, node: { overrides: true, fees: true } }
  const [{ findings: ofEndpoints, usable }, ofBundler, ofSendEndpoints] = await Promise.all([
    checkEndpoints(subject),
    carryOut(subject, 'the bundler', checkBundler),
    carryOut(subject, 'sendRpcUrls', checkSendEndpoints),
  ])
  const others = usable ? await checkReachable(subject) : []
  const findings = [...ofEndpoints, ...ofBundler, ...ofSendEndpoints, ...others]
    .sort((a, b) => weights.indexOf(a.severity) - weights.indexOf(b.severity))
    .map(withoutSecretsIn)
  return { network: config.chainId, name: config.name, findings }
}

async function checkReachable(request: Subject): Promise<readonly Finding[]> {
  const ofNode = await carryOut(request, 'the node', checkChain)
  const isAmong = (findings: readonly Finding[], ...codes: readonly Finding['code'][]) =>
    findings.some(({ code }) => codes.includes(code))
  const node = { overrides: !isAmong(ofNode, 'NO_STATE_OVERRIDE'), fees: !isAmong(ofNode, 'NO_FEES') }
  const subject = { ...request, node }
  const ofCanonical = await carryOut(subject, 'the canonical contracts', checkCanonical)
  const stands = !isAmong(ofCanonical, 'NO_CODE', 'OTHER_CODE', 'OTHER_ENTRY_POINT', 'CHECK_FAILED')
  const ofOthers = await Promise.all([
    carryOut(subject, 'P-256', checkP256),
    carryOut(subject, 'EIP-7702', checkEip7702),
    carryOut(subject, 'the costs', checkCosts),
    checkOurs(subject, stands),
    carryOut(subject, 'who sends', checkSenders),
    carryOut(subject, 'who fills up relayers', checkRelayerTreasury),
    carryOut(subject, 'what the providers accept', checkProviders),
    carryOut(subject, 'whether two RPCs confirm each other', checkOrigins),
  ])
  return [...ofNode, ...ofCanonical, ...ofOthers.flat()]
}

/** The service's contracts depend on the canonical ones and on the token. */
async function checkOurs(subject: Subject, stands: boolean): Promise<readonly Finding[]> {
  const ofToken = await carryOut(subject, 'the settlement token', checkToken)
  if (!stands || ofToken.some(({ severity }) => severity === 'error')) return ofToken
  const ofOurs = await Promise.all([
    carryOut(subject, 'epochs', checkEpochs),
    carryOut(subject, 'the smart balance', checkSmartBalance),
    carryOut(subject, 'session keys', checkSessionKeys),
    carryOut(subject, 'ownership', checkOwnership),
  ])
  return [...ofToken, ...ofOurs.flat()]
}

/** All networks in parallel: this takes the time of the slowest one, not the sum. */
export const preflight = (subjects: readonly PreflightSubject[]): Promise<NetworkReport[]> =>
  Promise.all(subjects.map(preflightNetwork))

async function carryOut(subject: Subject, what: string, check: Check): Promise<readonly Finding[]> {
  try {
    return await check(subject)
  } catch (error) {
    return finding('CHECK_FAILED', {
      message: `Could not check ${what}.`,
      seen: error instanceof Error ? error.message : String(error),
      fix: 'Run it again. If it still fails, the node does not give the answers that it should.',
    })
  }
}

/** A node's message may repeat its own address. */
const withoutSecretsIn = (one: Finding): Finding => ({
  ...one,
  message: withoutSecrets(one.message),
  ...(one.seen !== undefined && { seen: withoutSecrets(one.seen) }),
})
