import { describe, expect, test } from 'vitest'
import { ConfigurationError } from './configuration-error.ts'
import { readEnv, withNetworks } from './env.ts'

const problemsOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}

const secret = 'sixteen-or-more-characters'
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://localhost/lanyard',
  API_KEYS: `web:${secret}`,
  TOKEN_KEY: '{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}',
}

test('default: an empty environment has development defaults', () => {
  expect(readEnv({})).toMatchObject({
    HOST: '127.0.0.1',
    DEVNET_PORT: 8545,
    API_KEYS: [],
    RP_ID: 'localhost',
    LOG_LEVEL: 'info',
    TRUST_PROXY: 0,
    INCLUSION_TIMEOUT: 30,
  })
  expect(readEnv({}).PORT).toBeUndefined()
  expect(readEnv({}).NODE_ENV).toBeUndefined() // `withNetworks` sets NODE_ENV from the networks
})

test('behavior: an empty variable counts as absent', () => {
  expect(readEnv({ PORT: '', HOST: '', DATABASE_URL: '' })).toEqual(readEnv({}))
})

test('behavior: every problem is listed at once, by name', () => {
  const problems = problemsOf({
    PORT: '70000',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    ORIGINS: 'https://a.example/',
  })
  expect(problems.map((problem) => problem.split(/[.:]/)[0])).toEqual(
    expect.arrayContaining(['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'ORIGINS']),
  )
})

test('behavior: messages repeat no value because some are secrets', () => {
  const problems = problemsOf({
    RELAYER_PRIVATE_KEYS: '0xSECRET',
    API_KEYS: 'web:short-secret',
    DATABASE_URL: 'x://secret',
  })
  expect(problems.length).toBeGreaterThanOrEqual(3)
  expect(problems.join('\n')).not.toMatch(/0xSECRET|short-secret|x:\/\//)
})

test('args: API_KEYS takes names and secrets', () => {
  expect(readEnv({ API_KEYS: ` web:${secret} ,,${secret}` }).API_KEYS).toEqual([
    { name: 'web', secret },
    { name: 'default', secret },
  ])
})

test.each(['KMS_ENDPOINT', 'AUDIT_WEBHOOK_URL'])(
  'error: %s with a user and a password, and it does not repeat them',
  (name) => {
    const problems = problemsOf({ [name]: 'https://user:a-long-password@kms.example/' }).join('\n')
    expect(problems).toContain(`${name}: Expected an address without user and password`)
    expect(problems).not.toContain('a-long-password')
  },
)

describe('production', () => {
  test('default: complete production settings have no problems', () => {
    expect(problemsOf(production)).toEqual([])
  })

  test.each([
    ['DATABASE_URL', { DATABASE_URL: '' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'off' }],
  ])('error: production does not accept %s', (name, change) => {
    expect(problemsOf({ ...production, ...change }).join('\n')).toContain(name)
  })

  test.each([
    ['api', true],
    ['worker', true],
    ['attestor', false],
    ['settler', false],
    ['topUp', false],
  ])('behavior: only processes that check tokens need TOKEN_KEY: %s', (ROLES, needed) => {
    const { TOKEN_KEY: _, API_KEYS: __, ...others } = production
    expect(
      problemsOf({ ...others, ROLES })
        .join('\n')
        .includes('TOKEN_KEY'),
    ).toBe(needed)
  })

  test('behavior: a network that is not local implies production unless NODE_ENV is set', () => {
    const local = [{ local: true }]
    const real = [{ local: true }, { local: false }]
    expect(withNetworks(readEnv({}), []).NODE_ENV).toBe('development')
    expect(withNetworks(readEnv({}), local).NODE_ENV).toBe('development')
    for (const NODE_ENV of ['development', 'test'] as const) {
      expect(withNetworks(readEnv({ NODE_ENV }), real).NODE_ENV).toBe(NODE_ENV)
    }
    expect(() => withNetworks(readEnv({}), real)).toThrow(/DATABASE_URL: [\s\S]*NODE_ENV: is not set/)
    const { NODE_ENV: _, ...settings } = production
    expect(withNetworks(readEnv(settings), real).NODE_ENV).toBe('production')
  })

  test('behavior: ALLOW_ settings permit development-only settings', () => {
    const allowed = {
      ...production,
      API_KEYS: '',
      DATABASE_URL: '',
      ALLOW_ANONYMOUS: 'true',
      ALLOW_PGLITE: 'true',
    }
    expect(problemsOf(allowed)).toEqual([])
  })
})
