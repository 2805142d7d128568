// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IEpochs, PINS} from "../interfaces/IEpochs.sol";
import {SIGNER_REMOVAL_DELAY} from "./Constants.sol";

/// @title Signers that may debit an account on this network
/// @notice Pins, not the Safe's owners: swapping an owner in the Safe must not block a settlement. An owner who leaves
/// the Safe must therefore be removed here, too, on every network with a deposit. Raising the account's epoch removes
/// all of them at once.
abstract contract Signers {
    /// @notice Thrown if a signer to remove is not pinned, or its removal has already started.
    error SignerNotActive(bytes32 signer);

    event SignerAdded(address indexed account, bytes32 indexed signer);
    event SignerRemoved(address indexed account, bytes32 indexed signer, uint48 until);

    struct Pin {
        /// The largest uint48 unless it was removed; 0 if it never was.
        uint48 until;
        /// The account's epoch when the signer was added.
        uint32 epoch;
    }

    IEpochs public immutable EPOCHS;

    mapping(address account => mapping(bytes32 signer => Pin)) private _pins;

    constructor(address epochs) {
        EPOCHS = IEpochs(epochs);
    }

    /// @notice Pins a signer of the caller immediately; also cancels a removal.
    /// @param signer An address, left-padded, or keccak256(x ‖ y ‖ verifiers).
    function addSigner(bytes32 signer) external {
        _pins[msg.sender][signer] = Pin(type(uint48).max, EPOCHS.epochOf(msg.sender, PINS));
        emit SignerAdded(msg.sender, signer);
    }

    /// @notice Ends a pin of the caller after SIGNER_REMOVAL_DELAY. Reverts with SignerNotActive.
    function removeSigner(bytes32 signer) external {
        if (signerUntil(msg.sender, signer) != type(uint48).max) revert SignerNotActive(signer);
        uint48 until = uint48(block.timestamp) + SIGNER_REMOVAL_DELAY;
        _pins[msg.sender][signer].until = until;
        emit SignerRemoved(msg.sender, signer, until);
    }

    /// @notice The time until which a pin counts; the largest uint48 while it is active, 0 if it never was. A pin of an
    /// epoch that has ended counts for SIGNER_REMOVAL_DELAY after that.
    function signerUntil(address account, bytes32 signer) public view returns (uint48) {
        Pin memory pin = _pins[account][signer];
        if (pin.until == 0) return 0;
        uint48 end = EPOCHS.endOf(account, PINS, pin.epoch);
        if (end == 0 || pin.until <= end + SIGNER_REMOVAL_DELAY) return pin.until;
        return end + SIGNER_REMOVAL_DELAY;
    }
}
