/**
 * Returns the database of a tenant: its own, if the deployment binds one as `DB_<TENANT>`, else the one that all other
 * tenants share. In the binding's name the tenant's letters are capitals, and `_` stands for every character that is no
 * letter or digit. Returns undefined if the deployment has no database.
 *
 * @param env the platform's bindings
 */
export function databaseOf(env: object, tenant: string): D1Database | undefined {
  const bound = env as Readonly<Record<string, D1Database | undefined>>
  return bound[`DB_${tenant.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`] ?? bound['DB']
}

/** Returns every database of a deployment, the shared one first. */
export function databasesOf(env: object): readonly D1Database[] {
  const bound = env as Readonly<Record<string, D1Database>>
  return Object.keys(bound)
    .filter((name) => name === 'DB' || name.startsWith('DB_'))
    .toSorted()
    .flatMap((name) => bound[name] ?? [])
}
