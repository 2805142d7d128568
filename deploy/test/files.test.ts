import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dockerfileText, readStage, readStages } from './dockerfile.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const root = join(folder, '..')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('Dockerfile', () => {
  test('behavior: passes the linter', () => {
    expect(validate(dockerfileText, { deprecatedMaintainer: 2 }).map(({ message }) => message)).toEqual([])
  })

  test("behavior: every base image is pinned, and has the repository's Node version", () => {
    const stages = readStages()
    const bases = stages.map(({ from }) => from).filter((from) => !stages.some(({ name }) => name === from))
    expect(bases).toHaveLength(1)
    for (const base of bases)
      expect(base).toMatch(new RegExp(`^node:${devDependencies.node}-.*@sha256:[0-9a-f]{64}$`))
  })

  test.each(['api', 'worker'])(
    'behavior: %s runs without root and without a shell, and has a health check',
    (name) => {
      const { command, check, env } = readStage(name)
      expect(env.NODE_ENV).toBe('production')
      expect([command[0], check[0]]).toEqual(['node', 'node'])
      expect(existsSync(join(root, command.at(-1) ?? ''))).toBe(true)
      const users = readStages().flatMap(({ instructions }) =>
        instructions.filter(({ keyword }) => keyword === 'USER'),
      )
      // A number, so that Kubernetes' runAsNonRoot can tell.
      expect(users.map(({ text }) => text)).toEqual(['1000'])
    },
  )
})

interface Service {
  image: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment?: Record<string, string>
  secrets?: (string | { source: string; target: string })[]
  profiles?: string[]
  ports?: string[]
  networks?: string[]
  healthcheck?: object
  deploy?: { replicas: number }
  logging?: { options: Record<string, string> }
}

describe('compose.yaml', () => {
  const compose: {
    services: Record<
      'api' | 'worker' | 'migrate' | 'attestor' | 'settler' | 'top-up' | 'postgres' | 'nginx' | 'prometheus',
      Service
    >
    secrets: Record<string, { file: string }>
    configs: Record<string, { file: string }>
  } = parse(read('compose.yaml'), { merge: true })
  const { services } = compose

  test.each(['api', 'worker', 'migrate', 'attestor', 'settler', 'top-up'] as const)(
    'behavior: %s has no write access and cannot gain privileges',
    (name) => {
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(services[name].ports).toBeUndefined()
    },
  )

  test('behavior: third-party images are pinned, there are several replicas, and the database is reachable only internally', () => {
    for (const { image } of [services.postgres, services.nginx, services.prometheus])
      expect(image).toMatch(/^[\w/]+:v?\d+\.\d+.*@sha256:[0-9a-f]{64}$/)
    expect(services.api.deploy?.replicas).toBeGreaterThan(1)
    expect(services.postgres.ports).toBeUndefined()
    expect(services.postgres.networks).toEqual(['inside'])
  })

  test('behavior: no log grows without end, and as many attestors run as must agree by default', () => {
    for (const [name, { logging }] of Object.entries(services))
      expect([name, logging?.options['max-size'], logging?.options['max-file']]).toEqual([name, '10m', '5'])
    const deploy = readFileSync(join(root, 'apps/api/src/admin/cli/commands/deploy.ts'), 'utf8')
    const [, threshold] = /'--threshold <count>'.*, (\d+)\)/.exec(deploy) ?? []
    const attestors = Object.keys(services).filter((name) => name.startsWith('attestor'))
    expect(attestors).toHaveLength(Number(threshold))
  })

  test('behavior: secrets are files, never variables', () => {
    for (const { environment = {} } of Object.values(services)) {
      for (const [name, value] of Object.entries(environment)) {
        expect(name.endsWith('_FILE') || !/password|key|secret/i.test(name), `${name}=${value}`).toBe(true)
      }
    }
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^secrets\//)
    expect(existsSync(join(folder, compose.configs.nginx?.file ?? 'nowhere'))).toBe(true)
  })
})

describe('a release', () => {
  const release: {
    jobs: Record<
      'images' | 'packages',
      {
        needs?: string
        permissions: Record<string, string>
        steps: { run?: string; with?: Record<string, unknown> }[]
      }
    >
  } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'))
  const { permissions, steps } = release.jobs.packages
  const runs = steps.map(({ run = '' }) => run)

  test('behavior: says which run built its packages, and keeps the list of what is in them', () => {
    const publishing = runs.filter((run) => /\bpublish\b/.test(run))
    expect(publishing).toEqual(['node scripts/publish-packages.mjs artifacts/packages'])
    expect(readFileSync(join(root, 'scripts/publish-packages.mjs'), 'utf8')).toContain(`'--provenance'`)
    expect(permissions['id-token']).toBe('write')
    const index = (part: string) => runs.findIndex((run) => run.endsWith(part))
    expect(index('check:pins')).toBeGreaterThanOrEqual(0)
    expect(index('sbom:write')).toBeGreaterThan(index('check:pins'))
    expect(steps.map((step) => step.with?.path)).toContain('artifacts/sbom/')
    // npm compares the address with the provenance; --frameworks: what is published was built by each.
    expect(index('name-repository.mjs "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"')).toBeGreaterThanOrEqual(0)
    expect(index('check-release.mjs "$GITHUB_REF_NAME"')).toBeGreaterThanOrEqual(0)
    expect(index('check:packages --frameworks')).toBeGreaterThanOrEqual(0)
  })

  test('behavior: images are built twice and compared, and each pin is shown by its registry, before anything is published', () => {
    const { images, packages } = release.jobs
    const commands = images.steps.map(({ run = '' }) => run).join('\n')
    expect(commands).toContain('check-pins.mjs --ask-registries')
    expect(commands).toContain('build-images.mjs --twice')
    expect(packages.needs).toBe('images')
  })

  test('behavior: check:pins rejects a base without a digest', () => {
    const copy = mkdtempSync(join(tmpdir(), 'lanyard-pins-'))
    try {
      for (const path of ['scripts', '.github', '.ci', 'pnpm-workspace.yaml', 'deploy/Dockerfile'])
        cpSync(join(root, path), join(copy, path), { recursive: true })
      for (const path of ['compose.yaml', 'assemble.mjs'])
        cpSync(join(folder, path), join(copy, 'deploy', path))
      const check = () =>
        spawnSync(process.execPath, [join(copy, 'scripts/check-pins.mjs')], { encoding: 'utf8' })
      expect(check()).toMatchObject({ status: 0, stderr: '' })
      writeFileSync(join(copy, 'deploy/Dockerfile'), dockerfileText.replace(/@sha256:[0-9a-f]{64}/, ''))
      expect(check().stderr).toMatch(/^not pinned: deploy\/Dockerfile: node:\S+-bookworm-slim$/m)
    } finally {
      rmSync(copy, { recursive: true })
    }
  })

  const folders = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  )
  const manifests = folders.map((name) => ({
    folder: join(root, 'packages', name),
    ...JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
  }))
  const published = manifests.filter((manifest) => manifest.private !== true)

  test('behavior: every package asks for provenance itself', () => {
    expect(published.length).toBeGreaterThan(10)
    const without = published.filter(({ publishConfig }) => publishConfig?.provenance !== true)
    expect(without.map(({ name }) => name)).toEqual([])
  })

  test('behavior: a package for Node 20 uses nothing that Node 20 lacks', () => {
    const missing =
      /Promise\.(withResolvers|try)|\b(Map|Object)\.groupBy|DisposableStack|Array\.fromAsync|globSync|Iterator\.from|import\.meta\.(dirname|filename)|node:sqlite/
    const forOldest = published.filter(({ engines }) => engines.node === '>=20')
    expect(forOldest.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['@lanyard/client', '@lanyard/react', '@lanyard/viem', '@lanyard/mcp']),
    )
    const found = forOldest.flatMap(({ folder: own }) =>
      globSync('src/**/*.{ts,tsx}', { cwd: own })
        .filter((path) => !/\.test\.tsx?$/.test(path))
        .filter((path) => missing.test(withoutComments(readFileSync(join(own, path), 'utf8'))))
        .map((path) => join(own, path)),
    )
    expect(found).toEqual([])
  })
})

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

describe('each process has its own secrets', () => {
  const compose = parse(read('compose.yaml'), { merge: true })
  const page = readFileSync(join(root, 'docs/self-hosting.md'), 'utf8')
  const unitNames = readdirSync(join(folder, 'systemd'))
  const unit = (name: string) => read(join('systemd', name))
  const examples = readdirSync(join(folder, 'secrets.example'))
  const keysIn = (name: string) =>
    [...read(join('secrets.example', name)).matchAll(/^(\w+)=/gm)].map(([, variable]) => variable)
  const processes = {
    migrate: ['DATABASE_URL'],
    api: ['DATABASE_URL', 'TOKEN_KEY', 'API_KEYS', 'RELAYER_PRIVATE_KEYS', 'OPERATOR_PRIVATE_KEY'],
    worker: ['DATABASE_URL', 'TOKEN_KEY', 'RELAYER_PRIVATE_KEYS'],
    attestor: ['DATABASE_URL', 'ATTESTOR_PRIVATE_KEYS'],
    'attestor-2': ['DATABASE_URL', 'ATTESTOR_PRIVATE_KEYS'],
    settler: ['DATABASE_URL', 'SETTLER_PRIVATE_KEY'],
    'top-up': ['DATABASE_URL', 'TOP_UP_PRIVATE_KEY'],
    console: ['DATABASE_URL'],
  }

  test.each(Object.entries(processes))('behavior: %s under compose and systemd', (name, variables) => {
    const file = name === 'attestor' ? 'attestor-1.env' : `${name}.env`
    expect(keysIn(file)).toEqual(variables)
    expect(compose.services[name].secrets).toEqual([{ source: file, target: 'lanyard.env' }])
    expect(compose.secrets[file]).toEqual({ file: `secrets/${file}` })
    const [, kind = name, number = '1'] = /^(attestor)-(\d)$/.exec(name) ?? []
    const text = unit(unitNames.find((one) => one.startsWith(`lanyard-${kind}`)) ?? name)
    expect(text.replaceAll('%i', number)).toContain(`LoadCredential=secrets.env:/etc/lanyard/${file}\n`)
  })

  test('behavior: no other files, and the documents copy all of them', () => {
    expect(examples).toHaveLength(Object.keys(processes).length)
    expect(page).toContain('install -m 600 deploy/secrets.example/*.env /etc/lanyard/')
    expect(page).toContain('cp deploy/secrets.example/*.env deploy/secrets/')
  })

  test('behavior: no process has the keys of two powers over the smart balance', () => {
    const powers = [
      'OPERATOR_PRIVATE_KEY',
      'ATTESTOR_PRIVATE_KEYS',
      'SETTLER_PRIVATE_KEY',
      'TOP_UP_PRIVATE_KEY',
    ]
    for (const name of examples)
      expect(keysIn(name).filter((one) => powers.includes(one ?? '')).length).toBeLessThanOrEqual(1)
  })

  test('behavior: Prometheus reads every process, under compose and under systemd', () => {
    const jobs: { dns_sd_configs: { names: string[] }[] }[] = parse(
      read('monitoring/prometheus.yaml'),
    ).scrape_configs
    const named = jobs.flatMap(({ dns_sd_configs }) => dns_sd_configs.flatMap(({ names }) => names))
    expect(named.toSorted()).toEqual(
      Object.keys(processes)
        .filter((name) => name !== 'migrate')
        .toSorted(),
    )
    const targets = read('monitoring/prometheus.systemd.yaml')
    for (const name of unitNames.filter((one) => !one.includes('migrate'))) {
      const port = /METRICS_PORT=(\S+)/.exec(unit(name))?.[1] ?? 'no METRICS_PORT'
      expect(targets).toContain(`127.0.0.1:${port.replace('%i', name.includes('api') ? '3001' : '1')}"`)
    }
    for (const name of ['api', 'worker'])
      expect(readStage(name).env).toMatchObject({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' })
    for (const path of ['nginx/compose.conf', 'nginx/lanyard.conf']) expect(read(path)).not.toContain('9464')
  })

  test('behavior: restarting the migration restarts nothing else', () => {
    for (const name of unitNames) expect(unit(name)).not.toMatch(/^(Requires|BindsTo|PartOf)=.*migrate/m)
  })

  test('behavior: the image builds every page that the service needs, and the documents enable units that exist', () => {
    const pages = /const pages = \[([^\]]*)\]/.exec(read('assemble.mjs'))?.[1] ?? ''
    const needed = [...pages.matchAll(/'(apps\/\w+)\/dist'/g)].map(([, path]) => path)
    expect(needed).toHaveLength(4)
    for (const path of needed) expect(read('Dockerfile')).toContain(`--filter ./${path}`)
    const enabled = /systemctl enable --now (.*)/.exec(page)?.[1]?.split(' ') ?? []
    expect(enabled.length).toBeGreaterThan(1)
    for (const name of enabled) expect(unitNames).toContain(`${name.replace(/@.*/, '@')}.service`)
  })
})

test.skipIf(!has('systemd-analyze'))(
  'behavior: systemd accepts the units, and rates them as well isolated',
  () => {
    const units = readdirSync(join(folder, 'systemd'))
    for (const unit of units) {
      const path = join(folder, 'systemd', unit)
      const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
      // The unit is valid even if this machine has no system-wide Node.
      const complaints = `${verified.stdout}${verified.stderr}`
        .split('\n')
        .filter((line) => line && !line.includes('/usr/bin/node'))
      expect(complaints).toEqual([])
      const secured = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path], {
        encoding: 'utf8',
      })
      expect(secured.status, secured.stdout.split('\n').at(-2)).toBe(0)
    }
  },
)

test.skipIf(!has('nginx') || !has('openssl'))('behavior: nginx accepts its configurations', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-nginx-'))
  try {
    const [certificate, key] = [join(directory, 'tls.crt'), join(directory, 'tls.key')]
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=localhost',
    ]
    spawnSync('openssl', [...request, '-keyout', key, '-out', certificate])
    const complaints = (text: string) => {
      const path = join(directory, 'nginx.conf')
      const here = text
        .replace(/^( *ssl_certificate) .*$/m, `$1 ${certificate};`)
        .replace(/^( *ssl_certificate_key) .*$/m, `$1 ${key};`)
        .replace('/run/nginx.pid', join(directory, 'nginx.pid'))
        .replace('/var/log/nginx/', `${directory}/`)
        // Node gives the program a socket, which nobody can open by name; a container gives a file.
        .replace('/dev/stdout', join(directory, 'access.log'))
      writeFileSync(path, here)
      const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-c', path], { encoding: 'utf8' })
      return { status, stderr }
    }
    expect(complaints(read('nginx/compose.conf'))).toEqual({ status: 0, stderr: '' })
    expect(complaints(read('nginx/lanyard.conf'))).toEqual({ status: 0, stderr: '' })
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('behavior: both nginx configurations forward requests by the same rules', () => {
  const rules = (path: string) =>
    [
      ...read(path).matchAll(
        /^ *(proxy_(?!pass)\w+ .*;|if .*|error_page .*|(?:client|limit|worker|send|keepalive)_\w+ .*;)$/gm,
      ),
    ]
      .map(([, rule]) => rule)
      .toSorted()
  expect(rules('nginx/lanyard.conf')).toEqual(rules('nginx/compose.conf'))
  expect(rules('nginx/lanyard.conf').length).toBeGreaterThan(10)
})
