// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPaymaster, PackedUserOperation} from "../../interfaces/ERC4337.sol";

/// @dev The first byte of its data selects the behaviour: 0 no context, 1 context, 2 revert, 3 postOp reverts.
contract TestPaymaster is IPaymaster {
    error PaymasterRefused();
    error PostOpRefused();

    uint256 public charged;
    PostOpMode public lastMode;

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32 userOpHash, uint256 maxCost)
        external
        pure
        returns (bytes memory context, uint256 validationData)
    {
        uint8 mode = uint8(op.paymasterAndData[52]);
        if (mode == 2) revert PaymasterRefused();
        // validUntil, which shows in the result.
        validationData = uint256(4_000_000_000) << 160;
        if (mode != 0) context = abi.encode(mode, userOpHash, maxCost);
    }

    function postOp(PostOpMode mode, bytes calldata context, uint256 actualGasCost, uint256) external {
        (uint8 wanted,,) = abi.decode(context, (uint8, bytes32, uint256));
        if (wanted == 3) revert PostOpRefused();
        charged = actualGasCost;
        lastMode = mode;
    }
}
