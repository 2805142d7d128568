// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";

/// @title Signatures of session keys on secp256k1 and P-256
/// @notice A key is identified by 32 bytes: an address, left-padded, or keccak256(x ‖ y) of a P-256 public key. The
/// length of a signature tells which, and one cannot pass for the other.
library KeySignature {
    /// @dev r ‖ s ‖ v with v 27 or 28, low s; over `hash` itself.
    uint256 private constant ECDSA_LENGTH = 65;

    /// @dev r ‖ s ‖ x ‖ y; over SHA-256 of the 32 bytes of `hash`, because WebCrypto hashes its input. s may be high,
    /// as WebCrypto returns it; no identity depends on signature bytes.
    uint256 private constant P256_LENGTH = 128;

    /// @notice Whether `signature` is a signature by `key` over `hash`.
    /// @dev P-256 is verified by the precompile at 0x100 (RIP-7212, EIP-7951) or, without it, by OpenZeppelin's
    /// Solidity. A wrong signature costs at least as much as a correct one; estimates rely on this.
    function isValid(bytes32 key, bytes32 hash, bytes calldata signature) internal view returns (bool) {
        if (signature.length == ECDSA_LENGTH) return _isValidEcdsa(key, hash, signature);
        if (signature.length == P256_LENGTH) return _isValidP256(key, hash, signature);
        return false;
    }

    function _isValidEcdsa(bytes32 key, bytes32 hash, bytes calldata signature) private pure returns (bool) {
        (address signer, ECDSA.RecoverError failure,) =
            ECDSA.tryRecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return failure == ECDSA.RecoverError.NoError && bytes32(uint256(uint160(signer))) == key;
    }

    function _isValidP256(bytes32 key, bytes32 hash, bytes calldata signature) private view returns (bool) {
        if (keccak256(signature[64:]) != key) return false;
        uint256 s = uint256(bytes32(signature[32:64]));
        if (s > P256.N / 2 && s < P256.N) s = P256.N - s;
        return P256.verify(
            sha256(bytes.concat(hash)),
            bytes32(signature[:32]),
            bytes32(s),
            bytes32(signature[64:96]),
            bytes32(signature[96:])
        );
    }
}
