/** An object that runs SQL statements. */
interface Queryable {
  query(text: string): Promise<unknown>
}

const chunk = 100_000

/**
 * Fills the database with users and their accounts, the same in every run: names and addresses are hashes of
 * numbers. Every fourth user belongs to an EOA, and every fifth has an e-mail address as name.
 */
export async function fillUsers(
  pool: Queryable,
  count: number,
  progress: (line: string) => void,
): Promise<void> {
  for (let first = 1; first <= count; first += chunk) {
    const last = Math.min(first + chunk - 1, count)
    await pool.query(`
      insert into users (id, kind, username, username_key, username_skeleton, created_at)
      select md5('id' || i)::uuid, case when i % 4 = 0 then 'eoa' else 'passkey' end, name, name, name, now()
      from generate_series(${first}, ${last}) as i,
        lateral (select substr(md5(i::text), 1, 12) || '-' || i
          || case when i % 5 = 0 then '@example.org' else '' end) as named (name)`)
    await pool.query(`
      insert into accounts (address, user_id, eoa_address, passkey_x, deployment, created_at)
      select '0x' || substr(encode(sha256(('account' || i)::bytea), 'hex'), 1, 40), md5('id' || i)::uuid,
        case when i % 4 = 0 then '0x' || substr(encode(sha256(('eoa' || i)::bytea), 'hex'), 1, 40) end,
        case when i % 4 <> 0 then 1 end, '{}', now()
      from generate_series(${first}, ${last}) as i`)
    progress(`${last.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} users`)
  }
  await pool.query(`vacuum analyze users, accounts`)
}
