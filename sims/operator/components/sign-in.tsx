import type { Desk } from '../desk.ts'

/** The form for a token. The field is a password field, so the screen does not show the token. */
export function SignIn({ desk }: { desk: Desk }) {
  const entry = desk.store.entry.value
  const refused = entry.stage === 'out' && entry.refused
  const offered = desk.store.developmentToken.value
  return (
    <section class="sign-in sheet" aria-labelledby="sign-in">
      <h1 id="sign-in">Who’s asking?</h1>
      <p>
        This page shows the runs of one tenant: who worked on what, when, and how it came to be. It needs a token of
        that tenant.
      </p>
      {refused && (
        <p class="refused" role="alert">
          This token doesn’t work: it is mistyped, expired or revoked. Enter another.
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const token = new FormData(event.currentTarget).get('token')
          if (typeof token === 'string' && token.trim() !== '') desk.signIn(token.trim())
        }}
      >
        <label for="token">Token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby="token-note"
        />
        <p class="small" id="token-note">
          It’s kept in this tab until you sign out or close it, and nowhere else.
        </p>
        <button class="button lit" type="submit">
          Sign in
        </button>
        {offered !== null && (
          <button class="button" type="button" onClick={() => desk.signIn(offered)}>
            Use the development token
          </button>
        )}
      </form>
    </section>
  )
}
