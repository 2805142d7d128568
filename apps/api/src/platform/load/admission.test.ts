// @promise 24
import { expect, test } from 'vitest'
import { createAllowances } from '../../pipeline/costs/allowances.ts'
import { createAdmission } from './admission.ts'
import type { Slot } from './slots.ts'

function setUp(lag = 0) {
  const state = { lag, now: 0 }
  const clock = () => state.now
  const admission = createAdmission({ read: () => state.lag }, createAllowances({ clock }), clock)
  const started: string[] = []
  let groups = 0
  const enter = (
    name: string,
    usedPart: number,
    {
      isLarge = false,
      isUnproven = (): boolean => false,
      isGone = (): boolean => false,
      group = `${name} ${++groups}`,
      deposit = 60,
      unknownCost = 0,
    } = {},
  ) => {
    const pace = { size: 250, refill: 0.25 }
    const call = {
      group: { name: group, pace },
      deposit,
      unknownCost,
      usedPart: () => usedPart,
      isUnproven,
      isLarge,
      isGone,
    }
    const entered = admission.enter(call).then((slot) => {
      started.push(name)
      return slot
    })
    // What still waits at the end of a test is refused later, in the next file of this worker.
    entered.catch(() => {})
    return entered
  }
  return { state, admission, started, enter }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))
const end = (slot: Slot | undefined, used = 0) => slot?.end(used)

test('behavior: without lag callers of different groups start at once', async () => {
  const { enter, started } = setUp()
  for (let count = 0; count < 20; count++) await enter('a', 0.9)
  expect(started).toHaveLength(20)
})

test('behavior: four calls of a group run at once, or one large one', async () => {
  const { enter, started } = setUp()
  const group = 'office'
  const first = await Promise.all(['a', 'b', 'c', 'd'].map((name) => enter(name, 0, { group })))
  void enter('e', 0, { group })
  const large = enter('large', 0, { group, isLarge: true, deposit: 250 })
  void enter('f', 0, { group })
  await enter('of another group', 0)
  await settle()
  expect(started).toEqual(['a', 'b', 'c', 'd', 'of another group'])
  for (const slot of first.slice(0, 2)) end(slot)
  await settle()
  expect(started.slice(5)).toEqual(['e']) // large is next, and half of all slots are not free
  end(first[2])
  await settle()
  expect(started.slice(6)).toEqual(['large'])
  end(first[3])
  await settle()
  expect(started).toHaveLength(7)
  end(await large)
  await settle()
  expect(started.at(-1)).toBe('f')
})

test('behavior: of a group whose calls had no cost yet one runs, and then as many as the last costs allow', async () => {
  const { enter, started, state } = setUp()
  const group = 'attacker'
  const next = (name: string) => enter(name, 0, { group, deposit: 25, unknownCost: 250 })
  const ofAttacker = () => started.filter((name) => name !== 'of others')
  const refill = () => {
    state.now += 400
  }
  await enter('of others', 0)
  const first = next('first')
  const others = ['b', 'c', 'd', 'e', 'f'].map(next)
  await settle()
  expect(ofAttacker()).toEqual(['first'])
  end(await first, 90)
  refill()
  void next('g')
  await settle()
  expect(ofAttacker()).toEqual(['first', 'b']) // of 160: 250 less 90
  end(await others[0], 90)
  refill()
  void next('h')
  await settle()
  expect(ofAttacker()).toEqual(['first', 'b', 'c', 'd']) // of 90 each
})

test('behavior: a cheap call lets no more run than it paid for', async () => {
  const { enter, started, state } = setUp()
  const others = () => enter('of others', 0)
  const group = 'attacker'
  const next = (name: string) => enter(name, 0, { group, deposit: 25, unknownCost: 250 })
  await others()
  end(await next('cheap'), 2)
  end(await enter('a cheap call of another kind', 0, { group, deposit: 25, unknownCost: 25 }), 200)
  state.now += 1_000
  await others()
  const expensive = ['a', 'b', 'c', 'd'].map(next)
  await settle()
  expect(started.slice(4)).toEqual(['a'])
  end(await expensive[0], 200)
  state.now += 1_000
  await others()
  void next('e')
  await settle()
  expect(started.slice(4).filter((name) => name !== 'of others')).toEqual(['a', 'b'])
})

test('behavior: the calls of a group follow each other at its pace while another group has one', async () => {
  const { enter, started, state } = setUp()
  const group = 'attacker'
  await enter('of others', 0)
  end(await enter('costly', 0, { group }), 220)
  const next = enter('next', 0, { group })
  await settle()
  expect(started).toEqual(['of others', 'costly'])
  state.now += 379 // 95 of 220 are refilled when half of the slots is free
  await enter('of another group', 0.9)
  await settle()
  expect(started).not.toContain('next')
  state.now += 2
  await next // its timer
  expect(started.at(-1)).toBe('next')
})

test('behavior: an office alone uses what is idle: one more call starts each moment, however long a node takes', async () => {
  const { enter, started, state } = setUp()
  for (let person = 0; person < 60; person++) void enter(`person ${person}`, 0, { group: 'office' })
  await settle()
  expect(started).toHaveLength(4)
  for (let count = 5; count <= 60; count++) {
    state.now += 10
    await expect.poll(() => started.length, { interval: 1 }).toBe(count)
  }
})

test('behavior: nothing is idle while the event loop is late or another group has calls', async () => {
  const { enter, started, state } = setUp(60)
  for (let person = 0; person < 20; person++) void enter('office', 0, { group: 'office' })
  const wait = async () => {
    state.now += 200
    await new Promise((resolve) => setTimeout(resolve, 120))
  }
  await wait()
  expect(started).toHaveLength(4)
  const other = await enter('of another group', 0)
  state.lag = 0
  await wait()
  expect(started.filter((name) => name === 'office')).toHaveLength(4)
  end(other)
  await expect.poll(() => started.filter((name) => name === 'office').length).toBe(5)
})

test('behavior: without calls of others, an office of 60 waits for nothing but a free slot', async () => {
  const { enter, started, state } = setUp()
  const group = 'office'
  const people = Array.from({ length: 60 }, (_, person) => `${person}`)
  const entered = people.map((name) => enter(name, 0, { group, deposit: 25 }))
  for (const slot of entered) end(await slot, 100)
  expect(started).toEqual(people)
  expect(state.now).toBe(0)
  // What it used alone holds it back from nothing later.
  await enter('of others', 0)
  await enter('another', 0, { group })
})

test('behavior: a pace that held back a group ends with the calls of others', async () => {
  const { enter, started } = setUp()
  const group = 'office'
  const other = await enter('of others', 0)
  end(await enter('costly', 0, { group }), 10_000)
  const next = enter('next', 0, { group })
  await settle()
  expect(started).not.toContain('next')
  end(other)
  await next // its timer, though the clock stands still
})

test('behavior: of equals that wait, the first goes first, though what they used is refilled meanwhile', async () => {
  let now = 0
  const clock = () => ++now
  const allowances = createAllowances({ clock })
  const office = { name: 'office', allowance: { size: 100, refill: 0.001 } }
  const usage = allowances.take([office], 90)
  if ('settle' in usage) usage.settle(90)
  const admission = createAdmission({ read: () => 0 }, createAllowances({ clock }), clock)
  const group = { name: 'office', pace: { size: 60, refill: 0.25 } }
  const usedPart = (at: number) => allowances.usedPart(office, at)
  const no = () => false
  const call = { group, deposit: 60, unknownCost: 0, usedPart, isUnproven: no, isLarge: false, isGone: no }
  const started: string[] = []
  const enter = async (name: string) => {
    const slot = await admission.enter(call)
    started.push(name)
    await settle()
    slot.end()
  }
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(enter))
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('behavior: a call that waits takes no slot', async () => {
  const { enter, started, state } = setUp()
  const group = 'office'
  const slots = await Promise.all(['a', 'b', 'c', 'd'].map((name) => enter(name, 0, { group })))
  const resume = slots[0]?.pause() // until its operation is included
  await enter('e', 0, { group })
  resume?.()
  void enter('f', 0, { group })
  await settle()
  expect(started.at(-1)).toBe('e')
  state.now += 1_001 // a network does not answer a to e
  await enter('g', 0, { group })
  expect(started.slice(-2)).toEqual(['f', 'g'])
})

test('behavior: large calls that wait for a slow network leave room for others', async () => {
  const { enter, started, state } = setUp()
  const isLarge = true
  await Promise.all([enter('a', 0, { isLarge }), enter('b', 0, { isLarge })])
  state.now += 1_001
  await enter('c', 0.9, { isLarge })
  expect(started).toEqual(['a', 'b', 'c'])
})

test('behavior: 128 large bodies are in memory at once, whatever their calls wait for', async () => {
  const { enter, started, state } = setUp()
  const isLarge = true
  const slots: Slot[] = []
  for (let count = 0; count < 128; count++) {
    slots.push(await enter('a', 0, { isLarge }))
    state.now += 1_001 // the network does not answer
  }
  void enter('one more', 0, { isLarge })
  await enter('small', 0.9)
  await settle()
  expect(started.at(-1)).toBe('small')
  slots[0]?.pause()
  await settle()
  expect(started.at(-1)).toBe('small')
  end(slots[0])
  await settle()
  expect(started.at(-1)).toBe('one more')
})

test('error: RATE_LIMITED for the calls of a group that would wait too long', async () => {
  const { enter, admission } = setUp()
  const group = 'office'
  await Promise.all(Array.from({ length: 4 }, () => enter('a', 0, { group })))
  for (let count = 0; count < 250; count++) void enter('b', 0, { group })
  await expect(enter('c', 0, { group })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await enter('of another group', 0.9)
  expect(admission.waiting).toBe(250)
})

test('behavior: within a network of addresses, whoever used least goes first', async () => {
  const { enter, started } = setUp()
  const group = 'network'
  const slots = await Promise.all(Array.from({ length: 4 }, () => enter('a', 0.5, { group })))
  void enter('a again', 0.5, { group })
  void enter('neighbour', 0.1, { group })
  end(slots[0])
  await settle()
  expect(started.at(-1)).toBe('neighbour')
})

test('behavior: under lag, callers who used little do not wait behind those who used much', async () => {
  const { enter, started } = setUp(150)
  const slots = await Promise.all(Array.from({ length: 4 }, () => enter('costly', 0.9)))
  void enter('costliest', 0.95)
  void enter('costly too', 0.5)
  await enter('ordinary', 0.05)
  expect(started).toEqual([...Array(4).fill('costly'), 'ordinary'])
  end(slots[0])
  await settle()
  expect(started.at(-1)).toBe('costly too')
})

test('behavior: simulations of unknown callers share four places, a second each, while others call', async () => {
  const { enter, started, state } = setUp()
  const isUnproven = () => true
  const office = { isUnproven, group: 'office', deposit: 10 }
  const alone = await Promise.all(Array.from({ length: 8 }, () => enter('alone', 0, office)))
  for (const slot of alone) end(slot)
  await enter('known', 0)
  started.splice(0)
  await Promise.all(Array.from({ length: 4 }, () => enter('attacker', 0, { isUnproven })))
  void enter('fifth', 0.9, { isUnproven })
  void enter('newcomer', 0, { isUnproven })
  await enter('known', 0.9)
  expect(started.slice(4)).toEqual(['known'])
  state.now += 900 // they wait for the node: no more start than it answers
  await enter('known', 0.9)
  void enter('early', 0.99, { isUnproven })
  await settle()
  expect(started.slice(5)).toEqual(['known'])
  state.now += 101
  void enter('late', 0.95, { isUnproven })
  await settle()
  expect(started.slice(6, 8)).toEqual(['newcomer', 'fifth'])
  expect(started.slice(8).toSorted()).toEqual(['early', 'late'])
})

test('behavior: two large calls run at once, and those of the cheapest callers first', async () => {
  const { enter, started, admission } = setUp()
  const isLarge = true
  const [first] = await Promise.all([enter('a', 0.5, { isLarge }), enter('a', 0.5, { isLarge })])
  void enter('a', 0.6, { isLarge })
  void enter('gone', 0, { isLarge, isGone: () => true }).catch(() => started.push('refused'))
  void enter('b', 0.1, { isLarge })
  await enter('small', 0.9)
  await settle()
  expect(admission.waiting).toBe(3)
  end(first)
  end(first)
  await settle()
  expect(started.slice(0, 3)).toEqual(['a', 'a', 'small'])
  expect(started.slice(3).toSorted()).toEqual(['b', 'refused'])
})

test('error: RATE_LIMITED for the costliest when too many wait', async () => {
  const { enter, admission } = setUp()
  const isLarge = true
  await Promise.all([enter('a', 0, { isLarge }), enter('a', 0, { isLarge })])
  const rejected = enter('costliest', 0.99, { isLarge }).catch((error: unknown) => error)
  for (let count = 0; count < 256; count++) void enter('b', 0.2, { isLarge }).catch(() => {})
  expect(await rejected).toMatchObject({ code: 'RATE_LIMITED' })
  expect(admission.waiting).toBe(256)
})
