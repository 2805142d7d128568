/** Inserts users into the PGlite directory given as argument, and prints each name once it is acknowledged. */

import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { migrate, openDatabase } from '../src/index.ts'
import { insertUser } from './insert-user.ts'

const { db } = await openDatabase({ dataDir: process.argv[2] })
await migrate(db)
for (;;) {
  const names = [randomUUID(), randomUUID(), randomUUID()]
  await Promise.all([
    ...names.map((name) => insertUser(db, name)),
    db.transaction().execute(async (trx) => {
      await insertUser(trx, `${names[0]} a`)
      await insertUser(trx, `${names[0]} b`)
    }),
  ])
  writeSync(1, `${names.join('\n')}\n${names[0]} a\n${names[0]} b\n`)
}
