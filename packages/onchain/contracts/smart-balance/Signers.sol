// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SIGNER_REMOVAL_DELAY} from "./Constants.sol";

/// @title Signers that may debit an account on this network
/// @notice Pins, not the Safe's owners: swapping an owner in the Safe must not block a settlement. An owner who leaves
/// the Safe must therefore be removed here, too, on every network with a deposit.
abstract contract Signers {
    /// @notice Thrown if a signer to remove is not pinned, or its removal has already started.
    error SignerNotActive(bytes32 signer);

    event SignerAdded(address indexed account, bytes32 indexed signer);
    event SignerRemoved(address indexed account, bytes32 indexed signer, uint48 until);

    /// @notice The time until which a pin counts; the largest uint48 while it is active, 0 if it never was.
    mapping(address account => mapping(bytes32 signer => uint48)) public signerUntil;

    /// @notice Pins a signer of the caller immediately; also cancels a removal.
    /// @param signer An address, left-padded, or keccak256(x ‖ y ‖ verifiers).
    function addSigner(bytes32 signer) external {
        signerUntil[msg.sender][signer] = type(uint48).max;
        emit SignerAdded(msg.sender, signer);
    }

    /// @notice Ends a pin of the caller after SIGNER_REMOVAL_DELAY. Reverts with SignerNotActive.
    function removeSigner(bytes32 signer) external {
        if (signerUntil[msg.sender][signer] != type(uint48).max) revert SignerNotActive(signer);
        uint48 until = uint48(block.timestamp) + SIGNER_REMOVAL_DELAY;
        signerUntil[msg.sender][signer] = until;
        emit SignerRemoved(msg.sender, signer, until);
    }
}
