/** @module-tag all */
/** @module-tag longer */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { describeOnStage } from './stage.ts'

const program = fileURLToPath(new URL('../../../examples/agent/agent.ts', import.meta.url))

/* The program of the guide "Let an agent pay", with a person who owns the account. */

describeOnStage('an agent that buys, and its owner', ({ service, page, chapter, look, go }) => {
  let agent: ReturnType<typeof startAgent> | undefined
  afterAll(() => agent?.stop())
  const local = () => page().getByRole('region', { name: 'Local 1', exact: true })

  function startAgent(account: string) {
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, LANYARD_URL: service().url, LANYARD_ACCOUNT: account },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const ended = once(child, 'exit')
    return {
      output: () => output,
      prints: (pattern: RegExp) => expect.poll(() => output).toMatch(pattern),
      end: async () => expect((await ended)[0], output).toBe(0),
      stop: () => child.kill(),
    }
  }

  /** Opens the link that the agent printed last, as its owner does. */
  async function approve(limit: string, picture?: string) {
    const link = /http\S+#request=\S+/g
    await page().goto(agent?.output().match(link)?.at(-1) ?? '')
    await page()
      .getByRole('heading', { name: 'An app that claims to be “Weather agent” asks to act for you' })
      .waitFor()
    await page().getByText(limit).first().waitFor()
    if (picture) await look(picture)
    await page().getByRole('button', { name: 'Review' }).click()
    await page().getByRole('button', { name: 'Sign with passkey' }).click()
    await page()
      .getByText(/^Granted session key 0x.* on Local 1\.$/)
      .waitFor()
  }

  chapter('asks for an allowance before it may buy anything', async (page) => {
    await page.getByLabel('Username', { exact: true }).fill('ines')
    await page.getByText('Available', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
    await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
    const { result } = await (await fetch(`${service().url}/api/user/search?query=ines`)).json()
    agent = startAgent(result[0].wallet_address)
    await agent?.prints(/^day 1: .* The agent asks its owner:\n {2}http\S+\n/m)
  })

  chapter('buys within what its owner granted, and is refused at the limit', async () => {
    await approve('1 USDC', 'agent-request')
    await agent?.prints(
      /^day 3: It is more than what is left: 0 USDC\. The agent asks its owner:\n {2}http\S+\n/m,
    )
    expect(agent?.output().match(/^day \d: paid, 0\.4 USDC$/gm)).toHaveLength(2)
  })

  chapter('goes on once its owner grants more; a thief of the key gets nothing on chain', async () => {
    await approve('1 USDC')
    await agent?.end()
    expect(agent?.output().match(/^day \d: paid, 0\.4 USDC$/gm)).toHaveLength(4)
    expect(agent?.output()).toContain("gets 0 of the account's tokens: CallNotAllowed on chain")
    expect(agent?.output()).toMatch(/the attempt cost the account 0\.\d+ ETH/)
  })

  chapter('shows the owner what it did', async (page) => {
    await page.getByRole('link', { name: 'See your session keys' }).click()
    await go('Apps')
    await local().getByText('Weather agent').waitFor()
    await local().getByText('What it did', { exact: true }).click()
    await local()
      .getByText(/^0\.8 USDC to 0x/)
      .waitFor()
    await local()
      .getByText(/^1 USDC to 0x/)
      .waitFor()
    await look('agent')
  })
})
