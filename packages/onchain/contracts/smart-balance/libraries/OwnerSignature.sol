// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {Signer} from "./Order.sol";

/// @title Checks the signature of a Safe's only owner without calling the Safe
/// @notice A pure function of the bytes: its result is the same on every network and at any time. (Passkeys use the
/// P-256 precompile if there is one, otherwise OpenZeppelin's Solidity; both give the same result.)
library OwnerSignature {
    /// @dev The offset of the first signature's dynamic part in a Safe's signatures: r ‖ s ‖ v.
    uint256 private constant DYNAMIC_OFFSET = 65;

    /// @notice Whether `signatures`, in Safe's encoding, is exactly one signature of `signer` over `hash`.
    /// @dev Reverts without data if a passkey's part is not valid ABI encoding.
    function isValid(Signer memory signer, bytes32 hash, bytes calldata signatures)
        internal
        view
        returns (bool)
    {
        return signer.isPasskey
            ? _isPasskeySignature(signer, hash, signatures)
            : _isOwnerSignature(address(uint160(uint256(signer.id))), hash, signatures);
    }

    /// @dev v 27/28 is over the hash; 31/32 is over the hash with the prefix of personal_sign (Safe's eth_sign
    /// variant).
    function _isOwnerSignature(address owner, bytes32 hash, bytes calldata signature)
        private
        pure
        returns (bool)
    {
        if (signature.length != 65) return false;
        uint8 v = uint8(signature[64]);
        if (v > 30) {
            v -= 4;
            hash = MessageHashUtils.toEthSignedMessageHash(hash);
        }
        (address recovered, ECDSA.RecoverError failure,) =
            ECDSA.tryRecover(hash, v, bytes32(signature[:32]), bytes32(signature[32:64]));
        return failure == ECDSA.RecoverError.NoError && recovered == owner;
    }

    /// @dev `signer contract (32) ‖ 65 (32) ‖ 0x00 ‖ length (32) ‖ abi.encode(authenticatorData, clientDataFields, r,
    /// s)`. The signer contract is ignored: the pin is of the key, not of its contract.
    function _isPasskeySignature(Signer memory signer, bytes32 hash, bytes calldata signatures)
        private
        view
        returns (bool)
    {
        if (signatures.length < DYNAMIC_OFFSET + 32) return false;
        if (uint256(bytes32(signatures[32:64])) != DYNAMIC_OFFSET || signatures[64] != 0) return false;
        bytes calldata assertion = signatures[DYNAMIC_OFFSET + 32:];
        if (uint256(bytes32(signatures[DYNAMIC_OFFSET:])) != assertion.length) return false;
        return _isAssertion(signer, hash, assertion);
    }

    function _isAssertion(Signer memory signer, bytes32 hash, bytes calldata assertion)
        private
        view
        returns (bool)
    {
        (bytes memory authenticatorData, string memory clientDataFields, bytes32 r, uint256 s) =
            abi.decode(assertion, (bytes, string, bytes32, uint256));
        // WebAuthn L3 §6.1: 32 bytes rpIdHash, flags, 4 bytes counter. User present and user verified are required.
        if (authenticatorData.length < 37 || (authenticatorData[32] & 0x05) != 0x05) return false;
        // Authenticators do not normalise s to its low form, which OpenZeppelin's P256 requires.
        if (s > P256.N / 2 && s < P256.N) s = P256.N - s;
        bytes32 clientDataHash = sha256(_clientDataJson(hash, clientDataFields));
        return P256.verify(
            sha256(bytes.concat(authenticatorData, clientDataHash)), r, bytes32(s), signer.x, signer.y
        );
    }

    /// @dev WebAuthn L3 §5.8.1.1 fixes the start, so type and challenge are checked by building it.
    function _clientDataJson(bytes32 challenge, string memory fields) private pure returns (bytes memory) {
        return bytes.concat(
            '{"type":"webauthn.get","challenge":"',
            bytes(Base64.encodeURL(bytes.concat(challenge))),
            '",',
            bytes(fields),
            "}"
        );
    }
}
