import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requireNode } from '../src/create-app.ts'
import { CreateError, createApp, type TemplateName, templates } from '../src/index.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'create-lanyard-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the command line without a terminal. */
const cli = (parameters: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [join(packageFolder, 'src/cli.ts'), ...parameters], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) =>
      ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
  )

const names = Object.keys(templates) as TemplateName[] // keys of the object itself

describe('createApp', () => {
  test.each(names)('default: %s, whole, with exact versions', async (template) => {
    const { path, name } = await createApp({ folder: join(folder, 'my-app'), template })
    expect(name).toBe('my-app')
    const files = await readdir(path, { recursive: true })
    expect(files).toEqual(
      expect.arrayContaining([
        '.gitignore',
        'README.md',
        'src/tip-jar.tsx',
        'src/jar.ts',
        'test/pay.test.ts',
      ]),
    )
    expect(files).not.toContain('gitignore')
    const manifest = await readJson(join(path, 'package.json'))
    expect(manifest.name).toBe('my-app')
    const { version } = await readJson(join(packageFolder, 'package.json'))
    for (const [one, exact] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect([one, exact]).toEqual([one, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
      if (one.startsWith('@lanyard/')) expect(exact).toBe(version)
    }
    const readme = await readFile(join(path, 'README.md'), 'utf8')
    expect(readme).not.toContain('{{')
    expect(readme).toContain(`http://localhost:${templates[template].port}`)
    expect(files).toContain(templates[template].provider)
    expect(JSON.stringify(manifest.scripts)).toContain(`--port ${templates[template].port}`)
    expect(await readdir(folder)).toEqual(['my-app'])
  })

  test('behavior: an empty folder is taken, and one with a file is not', async () => {
    const empty = join(folder, 'empty')
    await mkdir(empty)
    await createApp({ folder: empty, template: 'react' })
    expect(await readdir(empty)).toContain('package.json')
    await writeFile(join(empty, 'mine.txt'), 'mine')
    await expect(createApp({ folder: empty, template: 'next' })).rejects.toThrow('is not empty')
    expect(await readFile(join(empty, 'mine.txt'), 'utf8')).toBe('mine')
    expect((await readJson(join(empty, 'package.json'))).dependencies).not.toHaveProperty('next')
    await expect(createApp({ folder: join(empty, 'mine.txt'), template: 'react' })).rejects.toThrow(
      'is a file',
    )
  })

  test.each(['My-App', '.hidden', 'with space', 'node_modules', 'a'.repeat(215)])(
    'error: the name %j',
    async (name) => {
      await expect(createApp({ folder: join(folder, name), template: 'react' })).rejects.toThrow(CreateError)
      expect(await readdir(folder)).toEqual([])
    },
  )

  test('behavior: tarballs are copied into the app, and those that others need are named', async () => {
    const tarballs = join(folder, 'tarballs')
    await mkdir(tarballs)
    for (const one of ['react', 'client', 'accounts'])
      await writeFile(join(tarballs, `lanyard-${one}-0.1.0.tgz`), one)
    const options = { folder: join(folder, 'my-app'), template: 'react', packages: tarballs } as const
    await expect(createApp(options)).rejects.toThrow('none of @lanyard/service')
    expect(await readdir(folder)).toEqual(['tarballs'])
    await writeFile(join(tarballs, 'lanyard-service-0.1.0.tgz'), 'service')
    const { path } = await createApp(options)
    const { dependencies, devDependencies } = await readJson(join(path, 'package.json'))
    expect(dependencies).toMatchObject({
      '@lanyard/react': 'file:packages/lanyard-react-0.1.0.tgz',
      '@lanyard/accounts': 'file:packages/lanyard-accounts-0.1.0.tgz',
    })
    expect(devDependencies['@lanyard/service']).toBe('file:packages/lanyard-service-0.1.0.tgz')
    expect(await readFile(join(path, 'packages/lanyard-accounts-0.1.0.tgz'), 'utf8')).toBe('accounts')
    await expect(createApp({ ...options, folder: join(folder, 'b'), packages: 'absent' })).rejects.toThrow(
      'is no folder with tarballs',
    )
  })

  test('error: a Node.js that the app does not run on', () => {
    for (const version of ['18.20.8', '20.18.3'])
      expect(() => requireNode(version)).toThrow(`This is Node.js ${version}. The app needs 20.19`)
    for (const version of ['20.19.0', '22.1.0']) requireNode(version)
  })
})

describe('create-lanyard', () => {
  test('default: makes the app, and says what comes next', async () => {
    const { code, stdout } = await cli(['my-app', '--template', 'next'], {
      npm_config_user_agent: 'pnpm/12.21.0 npm/? node/v24',
    })
    expect(code).toBe(0)
    for (const command of ['cd my-app', 'pnpm install', 'pnpm run dev    # http://localhost:3001'])
      expect(stdout).toContain(command)
  })

  test('behavior: a template that npm takes for itself arrives as well', async () => {
    expect((await cli(['a', 'next'], { npm_config_template: 'true' })).stdout).toContain('Next.js')
    expect((await cli(['b'], { npm_config_template: 'next' })).stdout).toContain('Next.js')
    expect((await cli(['c'])).stdout).toContain('React with Vite')
  })

  test.each([
    [[], 'Name the folder'],
    [['my-app', '--template', 'vue'], 'There is no template "vue". The templates are react|next.'],
    [['my-app', '--tempate', 'react'], "Unknown option '--tempate'"],
    [['my-app', 'react', 'more'], 'Unexpected: more'],
    [['My App'], 'cannot be the name of a package'],
  ])('error: %j', async (parameters, message) => {
    const { code, stderr } = await cli(parameters)
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr).not.toContain('    at ')
    expect(await readdir(folder)).toEqual([])
  })

  test('behavior: --help and --version', async () => {
    expect((await cli(['--help'])).stdout).toContain('--packages FOLDER')
    expect((await cli(['--version'])).stdout).toBe('0.1.0\n')
  })
})

test('behavior: versions are those that this repository tests with', async () => {
  const versions = await readJson(join(packageFolder, 'versions.json'))
  const { devDependencies } = await readJson(join(packageFolder, 'package.json'))
  const lock = await readFile(join(packageFolder, '../../pnpm-lock.yaml'), 'utf8')
  // vitest 5 needs Node.js 22, and the repository has neither Next.js nor Vite's plugin.
  const others = ['vitest', 'next', '@vitejs/plugin-react']
  for (const [name, version] of Object.entries<string>(versions)) {
    if (others.includes(name)) continue
    const declared = devDependencies[name]
    if (declared?.startsWith('catalog:')) expect(lock, name).toContain(`${name}@${version}`)
    else expect([name, declared]).toEqual([name, version])
  }
})
