import { safeAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionResult, type Hex, pad, slice, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { safeProxyCreationCode } from './creation.ts'
import { defaultDeployment } from './deployment.ts'
import { encodeEnabling, inspectSafe, isKnownSafe, type SafeState } from './existing-safe.ts'
import { sentinel } from './reads.ts'

/** The 171 bytes of runtime code follow the constructor. */
const code = slice(safeProxyCreationCode, 281, 452)
const { module, singleton } = defaultDeployment
const owner: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const foreign: Address = '0x00000000000000000000000000000000000000f7'

interface Answers {
  readonly owners?: readonly Address[]
  readonly threshold?: bigint
  readonly modules?: readonly Address[]
  readonly next?: Address
  readonly handler?: Address
  readonly guard?: Address
  readonly moduleGuard?: Address
}

const answersOf = ({
  owners = [owner],
  threshold = 1n,
  modules = [module],
  next = sentinel,
  handler = module,
  guard = zeroAddress,
  moduleGuard = zeroAddress,
}: Answers = {}): readonly Hex[] => {
  const abi = safeAbi
  const stored = (value: Address) =>
    encodeFunctionResult({ abi, functionName: 'getStorageAt', result: pad(value) })
  return [
    encodeFunctionResult({ abi, functionName: 'getOwners', result: [...owners] }),
    encodeFunctionResult({ abi, functionName: 'getThreshold', result: threshold }),
    encodeFunctionResult({ abi, functionName: 'getModulesPaginated', result: [[...modules], next] }),
    ...[handler, guard, moduleGuard].map(stored),
    encodeFunctionResult({ abi, functionName: 'nonce', result: 3n }),
  ]
}

const inspect = (answers: Answers = {}, modules: readonly Address[] = []) =>
  inspectSafe({ code, slot0: pad(singleton), answers: answersOf(answers) }, modules)

describe('inspectSafe', () => {
  test('default: ready', () => {
    expect(inspect()).toMatchObject({
      kind: 'ready',
      state: { version: '1.4.1', owners: [owner], nonce: 3n },
    })
    expect(inspect({ modules: [foreign, module] }, [foreign])).toMatchObject({ kind: 'ready' })
  })

  test.each<[string, Answers]>([
    ['the module', { modules: [] }],
    ['the handler', { handler: zeroAddress }],
    ['both', { modules: [], handler: '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99' }],
  ])('behavior: %s is missing', (_, answers) => {
    expect(inspect(answers)).toMatchObject({ kind: 'incomplete' })
  })

  test.each<[string, Answers, string, Address | undefined]>([
    ['a threshold of 2', { threshold: 2n }, 'threshold', undefined],
    ['no threshold', { threshold: 0n }, 'threshold', undefined],
    ['17 owners', { owners: Array.from({ length: 17 }, () => owner) }, 'owners', undefined],
    ['a module', { modules: [module, foreign] }, 'module', foreign],
    ['a list of modules that goes on', { next: foreign }, 'module', foreign],
    ['a handler', { handler: foreign }, 'handler', foreign],
    ['a guard', { guard: foreign }, 'guard', foreign],
    ['a guard of modules', { moduleGuard: foreign }, 'guard', foreign],
  ])('error: %s', (_, answers, part, address) => {
    const found = inspect(answers)
    expect(found).toMatchObject({ kind: 'unsupported', problems: [{ part }] })
    if (found.kind === 'unsupported') expect(found.problems[0]?.address).toBe(address)
  })

  test('behavior: a known contract is named', () => {
    const found = inspect({ modules: ['0xCFbFaC74C26F8647cBDb8c5caf80BB5b32E43134'] })
    expect(found).toMatchObject({ problems: [{ message: expect.stringContaining('AllowanceModule 0.1.0') }] })
  })

  test('error: no code, other code, another singleton, answers of no Safe', () => {
    const slot0 = pad(singleton)
    const kindOf = (safe: Parameters<typeof inspectSafe>[0]) => inspectSafe(safe, [])
    expect(kindOf({ code: undefined, slot0, answers: [] })).toEqual({ kind: 'absent' })
    expect(kindOf({ code: '0x', slot0, answers: [] })).toEqual({ kind: 'absent' })
    expect(kindOf({ code: '0x00', slot0, answers: answersOf() })).toMatchObject({
      problems: [{ part: 'code' }],
    })
    for (const [slot, answers] of [
      [pad(foreign), answersOf()],
      [slot0, []],
    ] as const)
      expect(kindOf({ code, slot0: slot, answers })).toMatchObject({ problems: [{ part: 'singleton' }] })
    expect(isKnownSafe({ code, slot0 })).toBe(true)
    expect(isKnownSafe({ code, slot0: pad(foreign) })).toBe(false)
    expect(isKnownSafe({ code: '0x00', slot0 })).toBe(false)
  })
})

test('encodeEnabling: only what is missing', () => {
  const state = (modules: readonly Address[], handler: Address): Pick<SafeState, 'modules' | 'handler'> => ({
    ...{ modules, handler },
  })
  expect(encodeEnabling(owner, state([], zeroAddress))).toHaveLength(2)
  expect(encodeEnabling(owner, state([module], zeroAddress))).toHaveLength(1)
  expect(encodeEnabling(owner, state([module], module))).toEqual([])
})
