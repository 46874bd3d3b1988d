<?php
/**
 * Plugin Name: Walkon
 * Description: Conversations with simulated colleagues. Use [walkon scenario="launch-decision" npc="maya"] in a page.
 * Version: 1.1.0
 * Requires at least: 6.3
 * Requires PHP: 7.4
 * License: MIT
 *
 * Copy this file to wp-content/plugins, activate it, and enter the address of your deployment under Settings, General,
 * or in wp-config.php:
 *   define( 'WALKON_SERVICE', 'https://walkon.example' );
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

/** Attributes that the shortcode passes on to <walkon-chat>, which docs/put-it-on-your-page.md describes. */
const WALKON_ATTRIBUTES = array( 'scenario', 'npc', 'name', 'label', 'mode', 'theme', 'position', 'lang', 'consent' );

/** Returns the address of the deployment without a slash at its end; '' if nobody has entered it. */
function walkon_service() {
	return untrailingslashit( defined( 'WALKON_SERVICE' ) ? WALKON_SERVICE : (string) get_option( 'walkon_service', '' ) );
}

add_action(
	'admin_init',
	function () {
		register_setting( 'general', 'walkon_service', array( 'type' => 'string', 'sanitize_callback' => 'esc_url_raw' ) );
		add_settings_field(
			'walkon_service',
			'Walkon',
			function () {
				printf(
					'<input name="walkon_service" type="url" class="regular-text" placeholder="https://walkon.example" value="%s">',
					esc_attr( (string) get_option( 'walkon_service', '' ) )
				);
			},
			'general'
		);
	}
);

add_shortcode(
	'walkon',
	function ( $given ) {
		if ( '' === walkon_service() ) {
			$hint = 'Walkon: enter the address of your deployment under Settings, General.';
			return current_user_can( 'manage_options' ) ? '<p>' . esc_html( $hint ) . '</p>' : '';
		}
		// WordPress prints a script only once, however many shortcodes a page has.
		wp_enqueue_script( 'walkon', walkon_service() . '/v1/embed.js', array(), null, array( 'strategy' => 'async' ) );
		$element = '<walkon-chat';
		foreach ( (array) $given as $name => $value ) {
			if ( in_array( $name, WALKON_ATTRIBUTES, true ) ) {
				$element .= ' ' . $name . '="' . esc_attr( $value ) . '"';
			}
		}
		return $element . '></walkon-chat>';
	}
);

// The page's chats are elements, so the script itself adds none.
add_filter(
	'script_loader_tag',
	function ( $tag, $handle ) {
		return 'walkon' === $handle ? str_replace( ' src=', ' data-launcher="manual" src=', $tag ) : $tag;
	},
	10,
	2
);
