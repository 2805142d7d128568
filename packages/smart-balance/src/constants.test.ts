import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as constants from './constants.ts'

const onchain = join(createRequire(import.meta.url).resolve('@lanyard/onchain'), '../..')
const solidity = readFileSync(join(onchain, 'contracts/smart-balance/Constants.sol'), 'utf8')
const units: Readonly<Record<string, number>> = { minutes: 60, hours: 3_600, days: 86_400 }

/** The value of a constant, converted to seconds if it has a unit of time. */
function solidityValue(name: string): number {
  const [, other, number = '', unit] =
    new RegExp(`${name} = (?:([A-Z_]+) \\+ )?([\\d_.e]+)(?: (\\w+))?;`).exec(solidity) ?? []
  const own = Number(number.replaceAll('_', '')) * (unit === undefined ? 1 : (units[unit] ?? Number.NaN))
  return own + (other === undefined ? 0 : solidityValue(other))
}

test.each([
  ['MAX_VALIDITY', constants.maxValidity],
  ['SETTLEMENT_WINDOW', constants.settlementWindow],
  ['MAX_SETTLEMENT_LEAD', constants.maxSettlementLead],
  ['PAUSE_BUDGET', constants.pauseBudget],
  ['PAUSE_PERIOD', constants.pausePeriod],
  ['EXIT_DELAY', constants.exitDelay],
  ['SIGNER_REMOVAL_DELAY', constants.signerRemovalDelay],
  ['PROPOSAL_NOTICE', constants.proposalNotice],
  ['PROPOSAL_LIFETIME', constants.proposalLifetime],
  ['MAX_SIGNATURE_LENGTH', constants.maxSignatureLength],
  ['MAX_FLAT_FEE', constants.maxFlatFee],
  ['PROBE_GAS', constants.probeGas],
  ['MIN_POST_OP_GAS', constants.minimumPostOpGas],
])('%s matches the contract', (name, value) => {
  expect(Number(value)).toBe(solidityValue(name))
})

test('pinned is the largest uint48, maxDebits the largest uint8', () => {
  expect(constants.pinned).toBe(0xffff_ffff_ffffn)
  expect(constants.maxDebits).toBe(0xff)
})
